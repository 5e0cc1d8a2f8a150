with cleaned as (
  select
    {{ clean_date('spend_date') }} as spend_date,
    {{ canonical('channel', ad_channels()) }} as channel,
    {{ clean_text('campaign') }} as campaign,
    {{ clean_money('spend') }} as spend
  from {{ source('raw', 'marketing_spend') }}
)

select *
from cleaned
{{ first_per(['spend_date', 'channel', 'campaign']) }}
