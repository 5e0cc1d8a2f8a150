-- Rows appear here when a day, channel and campaign was counted twice.
select spend_date, channel, campaign, count(*) as times
from {{ ref('marketing_spend') }}
group by all
having count(*) > 1
