import { describe, expect, it } from 'vitest'
import { checkGaql, validateQuery } from './validate-query.ts'

/** The mark precedes the reported position; the second text is part of the message. */
const MARK = '¦'
const INVALID: readonly (readonly [string, string])[] = [
  ['¦', 'The query is empty'],
  ['  \n ¦', 'The query is empty'],
  ['¦FROM campaign', 'begins with SELECT; FROM stands here'],
  ['¦UPDATE campaign', 'begins with SELECT'],
  ['SELECT ¦FROM campaign', 'Here belongs a field'],
  ['SELECT ¦* FROM campaign', 'GAQL has no *'],
  ['SELECT campaign.id¦', 'After the fields comes FROM'],
  ['SELECT campaign.id FROM¦', 'Here belongs a resource'],
  ['SELECT campaign.id, ¦FROM campaign', 'Here belongs a field'],
  ['SELECT campaign.id ¦campaign.name FROM campaign', 'separated by commas'],
  ["SELECT ¦'campaign.id' FROM campaign", 'without quotation marks'],
  ['SELECT ¦campaign..id FROM campaign', 'is no name'],
  ['SELECT ¦1campaign FROM campaign', 'is no name'],
  ['SELECT campaign.id FROM campaign¦;', 'without a semicolon'],
  ['SELECT campaign.id ¦-- the number\nFROM campaign', 'no comments'],
  ['SELECT campaign.id FROM campaign ¦/* all */', 'no comments'],
  ['SELECT ¦campaing.id FROM campaign', 'Did you mean campaign.id?'],
  ['SELECT\n  campaign.id,\n  ¦campaign.nmae\nFROM campaign', 'Did you mean campaign.name?'],
  ['SELECT ¦Campaign.Id FROM campaign', 'Did you mean campaign.id?'],
  ['SELECT ¦campaign FROM campaign', 'campaign is a resource'],
  ['SELECT ¦metrics.clikcs FROM campaign', 'Did you mean metrics.clicks?'],
  ['SELECT ¦metrics.xyzzy_plugh FROM campaign', 'Allowed with campaign: metrics.'],
  ['SELECT ¦nonsense.thing_here FROM campaign', 'attributes of campaign, customer'],
  ['SELECT campaign.id FROM ¦campaigns', 'Did you mean campaign?'],
  ['SELECT campaign.id FROM ¦zebra_crossing_patrol', 'Allowed: customer, customer_client'],
  ['SELECT ¦ad_group.id FROM campaign', 'Attributes of campaign, customer, campaign_budget or bidding_strategy can'],
  ['SELECT customer_client.id, ¦metrics.clicks FROM customer_client', 'customer_client has no metrics'],
  ['SELECT customer_client.id, ¦segments.date FROM customer_client', 'customer_client has no segments'],
  ['SELECT campaign.id, ¦metrics.historical_quality_score FROM campaign', 'It goes with keyword_view'],
  ['SELECT campaign.id, ¦segments.product_item_id FROM campaign', 'shopping_performance_view'],
  ['SELECT click_view.gclid, ¦metrics.impressions FROM click_view', 'cannot be used with FROM click_view'],
  ['SELECT campaign.id, ¦campaign.id FROM campaign', 'selected twice'],
  ['SELECT segments.conversion_action, ¦metrics.clicks FROM campaign', 'only metrics of conversions'],
  ['SELECT campaign.id FROM campaign WHERE¦', 'Here belongs a field'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id¦', 'After a field comes ='],
  ['SELECT campaign.id FROM campaign WHERE campaign.id =¦', 'Here belongs a value'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id ¦== 1', 'not =='],
  ['SELECT campaign.id FROM campaign WHERE campaign.id ¦<> 1', 'not <>'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id ¦!', 'A lone !'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id ¦EQUALS 1', 'EQUALS stands here'],
  ["SELECT campaign.id FROM campaign WHERE campaign.name = ¦'Spring", 'not closed'],
  ['SELECT campaign.id FROM campaign WHERE campaign.name = ¦“Spring”', 'straight quotation marks'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id = 1 ¦OR campaign.id = 2', 'GAQL has no OR'],
  ['SELECT campaign.id FROM campaign WHERE ¦(campaign.id = 1)', 'cannot stand in brackets'],
  ['SELECT campaign.id FROM campaign WHERE ¦NOT campaign.id = 1', 'NOT stands after the field'],
  [
    'SELECT campaign.id FROM campaign WHERE campaign.id NOT ¦BETWEEN 1 AND 2',
    'After NOT comes IN, LIKE or REGEXP_MATCH',
  ],
  ["SELECT campaign.id FROM campaign WHERE campaign.labels CONTAINS ¦('a')", 'After CONTAINS comes ANY, ALL or NONE'],
  ['SELECT campaign.id FROM campaign WHERE campaign.name IS ¦EMPTY', 'After IS comes NULL or NOT NULL'],
  ['SELECT campaign.id FROM campaign WHERE campaign.name IS NOT ¦EMPTY', 'After IS NOT comes NULL'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id IN ¦1', 'needs a list in brackets'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id IN (¦)', 'The list is empty'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id IN (1, 2¦', 'not closed'],
  ["SELECT campaign.id FROM campaign WHERE campaign.id IN (1, ¦'2')", 'of another kind'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id = ¦(1, 2)', 'takes one value'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id BETWEEN 1 ¦LIMIT 5', 'BETWEEN needs AND'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id BETWEEN ¦9 AND 2', 'from the smaller value'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id = ¦campaign.name', 'only be compared with a value'],
  ["SELECT campaign.id FROM campaign WHERE campaign.id = ¦'many'", 'whole number'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id = ¦1.5', 'whole number'],
  ['SELECT campaign.id FROM campaign WHERE metrics.ctr > ¦HIGH', 'compared with a number'],
  ['SELECT campaign.id FROM campaign WHERE campaign.name = ¦Spring', 'in quotation marks'],
  ["SELECT campaign.id FROM campaign WHERE campaign.status = ¦'ENABLE'", 'Did you mean ENABLED?'],
  ['SELECT campaign.id FROM campaign WHERE campaign.status = ¦GREEN', 'It is ENABLED, PAUSED or REMOVED'],
  [
    'SELECT campaign.id FROM campaign WHERE campaign.status ¦> PAUSED',
    'Allowed: =, !=, IN, NOT IN, IS NULL or IS NOT NULL',
  ],
  ["SELECT campaign.id FROM campaign WHERE campaign.status ¦LIKE 'EN%'", 'cannot be compared with LIKE'],
  ["SELECT campaign.id FROM campaign WHERE campaign.id ¦LIKE '1%'", 'cannot be compared with LIKE'],
  ["SELECT campaign.id FROM campaign WHERE campaign.labels ¦= 'x'", 'CONTAINS ANY'],
  ["SELECT campaign.id FROM campaign WHERE campaign.name ¦CONTAINS ANY ('x')", 'cannot be compared with CONTAINS ANY'],
  ["SELECT campaign.id FROM campaign WHERE ¦campaign.url_custom_parameters = 'x'", 'cannot be filtered by'],
  ["SELECT customer.id FROM customer WHERE customer.manager = ¦'maybe'", 'TRUE or FALSE'],
  ["SELECT campaign.id FROM campaign WHERE campaign.name REGEXP_MATCH ¦'(open'", 'cannot be read'],
  ["SELECT campaign.id FROM campaign WHERE campaign.name REGEXP_MATCH ¦'(?!x)y'", 'RE2'],
  ['SELECT campaign.id FROM campaign WHERE segments.date DURING ¦LAST_90_DAYS', 'DURING does not know LAST_90_DAYS'],
  ["SELECT campaign.id FROM campaign WHERE segments.date DURING ¦'TODAY'", 'DURING does not know'],
  ['SELECT campaign.id FROM campaign WHERE ¦campaign.start_date DURING TODAY', 'segments.date alone'],
  ['SELECT campaign.id FROM campaign WHERE segments.date = ¦YESTERDAY', 'segments.date DURING YESTERDAY'],
  ["SELECT campaign.id FROM campaign WHERE segments.date = ¦'2026-02-30'", 'a day that exists'],
  ["SELECT campaign.id FROM campaign WHERE segments.date = ¦'31/12/2026'", 'a day that exists'],
  ['SELECT campaign.id FROM campaign WHERE segments.date = ¦20260101', 'a day that exists'],
  [
    "SELECT campaign.id FROM campaign WHERE segments.date BETWEEN ¦'2026-03-02' AND '2026-03-01'",
    'from the smaller value',
  ],
  ["SELECT campaign.id FROM campaign WHERE ¦segments.date >= '2026-03-02'", 'add an end'],
  ["SELECT campaign.id FROM campaign WHERE segments.month = ¦'2026-03-15'", 'first day'],
  ["SELECT campaign.id FROM campaign WHERE segments.quarter = ¦'2026-03-01'", 'first day'],
  ["SELECT campaign.id FROM campaign WHERE segments.week = ¦'2026-11-10'", 'Monday'],
  ['SELECT campaign.id, metrics.clicks FROM campaign WHERE ¦segments.device = MOBILE', 'select it as well'],
  ['SELECT click_view.gclid FROM click_view WHERE ¦segments.date DURING LAST_7_DAYS', 'a single day'],
  ['SELECT change_event.user_email FROM ¦change_event', 'change_event.change_date_time'],
  [
    "SELECT change_event.user_email FROM change_event WHERE change_event.change_date_time > '2026-11-01' LIMIT ¦20000",
    'at most 10000',
  ],
  ['SELECT campaign.id FROM campaign ORDER BY ¦metrics.clicks', 'select it as well'],
  ['SELECT campaign.id FROM campaign ORDER BY ¦campaign.labels', 'holds several values'],
  ['SELECT campaign.id FROM campaign ORDER BY ¦customer.id', 'select it as well'],
  ['SELECT campaign.id FROM campaign ORDER ¦campaign.id', 'After ORDER comes BY'],
  ['SELECT campaign.id FROM campaign ORDER BY campaign.id ¦UP', 'go on with another clause'],
  ['SELECT campaign.id FROM campaign LIMIT ¦0', 'whole number from 1'],
  ['SELECT campaign.id FROM campaign LIMIT ¦-3', 'whole number from 1'],
  ['SELECT campaign.id FROM campaign LIMIT ¦ten', 'whole number from 1'],
  ['SELECT campaign.id FROM campaign LIMIT 5 ¦ORDER BY campaign.id', 'come in this order'],
  ['SELECT campaign.id FROM campaign ORDER BY campaign.id ¦WHERE campaign.id = 1', 'come in this order'],
  ['SELECT campaign.id FROM campaign ¦GROUP BY campaign.id', 'no GROUP BY'],
  ['SELECT campaign.id FROM campaign ¦HAVING metrics.clicks > 1', 'no HAVING'],
  ['SELECT campaign.id FROM campaign¦, ad_group', 'should be over here'],
  ['SELECT campaign.id FROM campaign PARAMETERS ¦include_draft = true', 'Did you mean include_drafts?'],
  ['SELECT campaign.id FROM campaign PARAMETERS include_drafts = ¦yes', 'true or false'],
  ['SELECT campaign.id FROM campaign PARAMETERS include_drafts ¦true', 'comes ='],
  ['SELECT campaign.id FROM campaign PARAMETERS include_drafts = true, ¦include_drafts = true', 'set twice'],
  ['SELECT campaign.id\r\nFROM campaign\r\nWHERE ¦campaign.colour = 1', 'There is no field campaign.colour'],
  ['SELECT campaign.id FROM campaign WHERE campaign.id = 1¦€', 'has no meaning'],
]

function findMark(marked: string) {
  const before = marked.slice(0, marked.indexOf(MARK)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

describe('invalid queries', () => {
  it('are at least sixty', () => expect(new Set(INVALID.map(([text]) => text)).size).toBeGreaterThanOrEqual(60))

  it.each(INVALID)('%s', (marked, said) => {
    const text = marked.replace(MARK, '')
    const { line, column } = findMark(marked)
    const [first] = checkGaql(text).problems
    expect(first).toMatchObject({ line, column, message: expect.stringContaining(said) })
    const verdict = validateQuery(text)
    expect(verdict.did_succeed).toBe(false)
    expect(verdict.message).toContain(`Line ${line}, column ${column}: `)
  })

  it('with many faults name five and how many more there are', () => {
    const { message } = validateQuery('SELECT a.a, b.b, c.c, d.d, e.e, f.f, g.g FROM campaign')
    expect(message.split('\n')).toHaveLength(6)
    expect(message).toMatch(/… and 2 more\.$/)
  })
})
