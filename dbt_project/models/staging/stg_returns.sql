with cleaned as (
  select
    {{ clean_integer('return_id') }} as return_id,
    {{ clean_integer('order_line_id') }} as order_line_id,
    {{ clean_date('return_date') }} as return_date,
    {{ canonical('reason', return_reasons()) }} as reason,
    {{ clean_money('refund_amount') }} as refund_amount
  from {{ source('raw', 'returns') }}
)

select *
from cleaned
{{ first_per(['return_id'], ['reason']) }}
