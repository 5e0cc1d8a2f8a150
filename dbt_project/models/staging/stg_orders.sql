with cleaned as (
  select
    {{ clean_integer('order_id') }} as order_id,
    {{ clean_integer('customer_id') }} as customer_id,
    {{ clean_timestamp('ordered_at') }} as ordered_at,
    {{ canonical('status', statuses()) }} as status,
    {{ canonical('channel', order_channels()) }} as channel
  from {{ source('raw', 'orders') }}
)

select *
from cleaned
{{ first_per(['order_id'], ['status', 'channel']) }}
