select
  lines.order_line_id,
  lines.order_id,
  lines.product_id,
  lines.quantity,
  lines.unit_price,
  lines.discount,
  lines.amount,
  case when orders.status = 'completed' then lines.amount end as revenue,
  case when orders.status = 'completed' then returns.return_id is not null end as is_returned
from {{ ref('stg_order_lines') }} as lines
join {{ ref('stg_orders') }} as orders using (order_id)
left join {{ ref('stg_returns') }} as returns using (order_line_id)
order by lines.order_line_id
