select spend_date, channel, campaign, spend
from {{ ref('stg_marketing_spend') }}
order by spend_date, channel
