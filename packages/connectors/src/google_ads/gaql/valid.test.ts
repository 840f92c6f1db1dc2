import { describe, expect, it } from 'vitest'
import { checkGaql, validateQuery } from './validate-query.ts'
import { parseGaql } from './parse.ts'
import { printGaql } from './print.ts'

const VALID = [
  'SELECT campaign.id FROM campaign',
  'select campaign.id from campaign',
  'SELECT campaign.id, campaign.name FROM campaign',
  'SELECT\n  campaign.id,\n  campaign.name\nFROM\n  campaign',
  '\n\n  SELECT campaign.id\tFROM campaign  \n',
  "SELECT campaign.id FROM campaign WHERE campaign.status = 'ENABLED'",
  'SELECT campaign.id FROM campaign WHERE campaign.status = ENABLED',
  'SELECT campaign.id FROM campaign WHERE campaign.status != REMOVED',
  "SELECT campaign.id FROM campaign WHERE campaign.status IN ('ENABLED', 'PAUSED')",
  'SELECT campaign.id FROM campaign WHERE campaign.status NOT IN (REMOVED)',
  'SELECT campaign.id FROM campaign WHERE campaign.id IN (1, 2, 3)',
  'SELECT campaign.id FROM campaign WHERE campaign.id = 123 AND campaign.name = "Spring"',
  "SELECT campaign.id FROM campaign WHERE campaign.name LIKE '%shoes%'",
  "SELECT campaign.id FROM campaign WHERE campaign.name NOT LIKE '[[]Test[]]%'",
  "SELECT campaign.id FROM campaign WHERE campaign.name REGEXP_MATCH '.*brand.*'",
  "SELECT campaign.id FROM campaign WHERE campaign.name NOT REGEXP_MATCH '(?i)^test'",
  "SELECT campaign.id FROM campaign WHERE campaign.name = 'It\\'s spring'",
  'SELECT campaign.id FROM campaign WHERE campaign.name = \'say "hello"\'',
  "SELECT campaign.id FROM campaign WHERE campaign.name = 'größer – 日本'",
  "SELECT campaign.id FROM campaign WHERE campaign.labels CONTAINS ANY ('customers/1/labels/2')",
  "SELECT campaign.id FROM campaign WHERE campaign.labels CONTAINS ALL ('customers/1/labels/2', 'customers/1/labels/3')",
  "SELECT campaign.id FROM campaign WHERE campaign.labels CONTAINS NONE ('customers/1/labels/2')",
  'SELECT campaign.id FROM campaign WHERE campaign.labels IS NULL',
  'SELECT campaign.id FROM campaign WHERE campaign.bidding_strategy IS NOT NULL',
  'SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.date DURING LAST_30_DAYS',
  'SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.date DURING today',
  "SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.date BETWEEN '2026-01-01' AND '2026-01-31'",
  "SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.date >= '2026-01-01' AND segments.date <= '2026-01-31'",
  "SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.date = '2024-02-29'",
  "SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.month = '2026-03-01'",
  "SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.quarter = '2026-04-01'",
  "SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.week = '2026-11-09'",
  'SELECT campaign.id, metrics.clicks FROM campaign WHERE segments.year = 2026',
  'SELECT campaign.id, segments.date, metrics.clicks FROM campaign',
  'SELECT campaign.id, segments.date, segments.device, metrics.cost_micros FROM campaign',
  'SELECT campaign.id, segments.device, metrics.clicks FROM campaign WHERE segments.device = MOBILE',
  'SELECT campaign.id, metrics.clicks FROM campaign WHERE metrics.clicks > 10',
  'SELECT campaign.id FROM campaign WHERE metrics.impressions BETWEEN 1 AND 100',
  'SELECT campaign.id, metrics.ctr FROM campaign WHERE metrics.ctr < 0.05',
  'SELECT campaign.id, metrics.clicks FROM campaign ORDER BY metrics.clicks DESC',
  'SELECT campaign.id, metrics.clicks FROM campaign ORDER BY metrics.clicks DESC, campaign.name ASC LIMIT 10',
  'SELECT campaign.id FROM campaign ORDER BY campaign.name',
  'SELECT campaign.id FROM campaign LIMIT 1',
  'SELECT campaign.id FROM campaign PARAMETERS include_drafts = true',
  'SELECT campaign.id FROM campaign LIMIT 5 PARAMETERS include_drafts=true, omit_unselected_resource_names=false',
  'SELECT campaign.id, customer.id, campaign_budget.amount_micros FROM campaign',
  'SELECT campaign.id, segments.conversion_action_name, metrics.conversions FROM campaign',
  'SELECT campaign.url_custom_parameters FROM campaign',
  'SELECT campaign.network_settings.target_google_search FROM campaign WHERE campaign.network_settings.target_google_search = TRUE',
  'SELECT customer.id, customer.descriptive_name, metrics.impressions FROM customer WHERE segments.date DURING YESTERDAY',
  'SELECT customer_client.id, customer_client.level FROM customer_client WHERE customer_client.level <= 1',
  'SELECT customer_client.id FROM customer_client WHERE customer_client.manager = false AND customer_client.hidden = FALSE',
  'SELECT ad_group.id, campaign.name FROM ad_group WHERE campaign.id = 5',
  'SELECT ad_group.id, metrics.conversions_value FROM ad_group WHERE ad_group.cpc_bid_micros >= 1000000',
  'SELECT ad_group_ad.ad.id, ad_group_ad.ad.final_urls FROM ad_group_ad WHERE ad_group_ad.status != REMOVED',
  'SELECT ad_group_ad.ad.responsive_search_ad.headlines, ad_group.name FROM ad_group_ad',
  'SELECT ad_group_criterion.keyword.text, metrics.clicks FROM keyword_view WHERE ad_group_criterion.keyword.match_type = EXACT',
  'SELECT ad_group_criterion.criterion_id, metrics.historical_quality_score, segments.date FROM keyword_view',
  'SELECT search_term_view.search_term, segments.search_term_match_type, metrics.clicks FROM search_term_view',
  'SELECT click_view.gclid, segments.date FROM click_view',
  "SELECT click_view.gclid FROM click_view WHERE segments.date = '2026-11-01'",
  "SELECT click_view.gclid FROM click_view WHERE segments.date BETWEEN '2026-11-01' AND '2026-11-01'",
  'SELECT geographic_view.country_criterion_id, segments.geo_target_region, metrics.clicks FROM geographic_view',
  'SELECT segments.product_item_id, segments.product_title, metrics.clicks FROM shopping_performance_view',
  "SELECT segments.product_brand, metrics.conversions FROM shopping_performance_view WHERE segments.product_brand = 'Oak'",
  'SELECT landing_page_view.unexpanded_final_url, metrics.speed_score FROM landing_page_view',
  "SELECT change_event.user_email FROM change_event WHERE change_event.change_date_time >= '2026-11-01 10:00:00' LIMIT 100",
  "SELECT geo_target_constant.id FROM geo_target_constant WHERE geo_target_constant.country_code = 'DE'",
  'SELECT campaign_criterion.location.geo_target_constant FROM campaign_criterion WHERE campaign_criterion.negative = FALSE',
  "SELECT campaign.id FROM campaign WHERE campaign.id = '42'",
]

describe('valid queries', () => {
  it('are at least sixty', () => expect(new Set(VALID).size).toBeGreaterThanOrEqual(60))

  it.each(VALID)('%s', (text) => {
    expect(checkGaql(text).problems).toEqual([])
    expect(validateQuery(text).did_succeed).toBe(true)
    const printed = printGaql((parseGaql(text) as Extract<ReturnType<typeof parseGaql>, { query: unknown }>).query)
    expect(checkGaql(printed).problems).toEqual([])
  })

  it('are praised with what they give', () => {
    expect(validateQuery('SELECT campaign.id, segments.date FROM campaign').message).toBe(
      'The query is valid: 2 fields from campaign, by day.',
    )
  })
})
