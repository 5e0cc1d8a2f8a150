select return_id, order_line_id, return_date, reason, refund_amount
from {{ ref('stg_returns') }}
order by return_id
