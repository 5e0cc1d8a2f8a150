with cleaned as (
  select
    {{ clean_integer('order_line_id') }} as order_line_id,
    {{ clean_integer('order_id') }} as order_id,
    {{ clean_integer('product_id') }} as product_id,
    {{ clean_integer('quantity') }} as quantity,
    {{ clean_money('unit_price') }} as unit_price,
    coalesce({{ clean_share('discount') }}, 0) as discount,
    {{ clean_money('amount') }} as amount
  from {{ source('raw', 'order_lines') }}
)

select
  * exclude (amount),
  coalesce(amount, cast(round(quantity * unit_price * (1 - discount), 2) as decimal(12, 2))) as amount
from cleaned
{{ first_per(['order_line_id'], ['cleaned.amount']) }}
