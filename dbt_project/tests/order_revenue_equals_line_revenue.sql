-- Rows appear here when the lines of an order do not add up to its revenue.
with line_totals as (
  select order_id, sum(revenue) as revenue
  from {{ ref('order_lines') }}
  group by order_id
)

select orders.order_id, orders.revenue, line_totals.revenue as line_revenue
from {{ ref('orders') }} as orders
left join line_totals using (order_id)
where orders.revenue is distinct from line_totals.revenue
