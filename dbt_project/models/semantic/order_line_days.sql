{{ config(schema='staging', materialized='view') }}

select lines.*, orders.order_date
from {{ ref('order_lines') }} as lines
join {{ ref('orders') }} as orders using (order_id)
