with totals as (
  select order_id, sum(amount) as amount
  from {{ ref('stg_order_lines') }}
  group by order_id
)

select
  orders.order_id,
  orders.customer_id,
  orders.ordered_at,
  cast(orders.ordered_at as date) as order_date,
  orders.status,
  orders.channel,
  cast(case when orders.status = 'completed' then totals.amount end as decimal(12, 2)) as revenue
from {{ ref('stg_orders') }} as orders
left join totals using (order_id)
order by orders.order_id
