import { describe, expect, test } from 'vitest'
import { createEngine } from './answer.ts'
import { ask, toTable } from './testing.ts'

/** No foreign keys, abbreviations, totals in headers and lines. */
const depot = createEngine({
  tables: [
    toTable('cust_mst', ['cust_no integer', 'cust_nm', 'blk_flg text Y N', 'rep_id integer?', 'ref_by integer?']),
    toTable('itm_mst', ['itm_no integer', 'itm_desc', 'itm_cat text Pipes Tools', 'std_cst number', 'lst_prc number']),
    toTable('so_hdr', [
      'so_no integer',
      'cust_no integer',
      'so_dt date',
      'req_dt date',
      'shp_dt date?',
      'so_stat text open shipped',
      'frt_amt number',
      'tot_amt number',
    ]),
    toTable('so_lin', ['lin_id integer', 'so_no integer', 'itm_no integer', 'qty_ord integer', 'lin_amt number']),
  ],
  foreignKeys: [],
  synonyms: [],
})
const desk = createEngine({
  tables: [
    toTable('agents', ['agent_id integer', 'full_name', 'is_active boolean']),
    toTable('deals', [
      'deal_id integer',
      'owner_id text',
      'is_closed boolean',
      'is_won boolean',
      'close_date date',
      'created_at timestamp',
      'amount number',
      'severity integer',
      'category text A B',
    ]),
    toTable('data_usage', ['usage_id integer', 'agent_id integer', 'used_on date', 'mb number']),
    toTable('shifts', ['shift_id integer', 'agent_id integer', 'overtime number', 'day date', 'note text?']),
    toTable('bills', [
      'bill_id integer',
      'agent_id integer',
      'issued_on date',
      'due_on date',
      'paid_on date?',
      'total number',
    ]),
  ],
  foreignKeys: [],
  synonyms: [],
})

describe('shortened names', () => {
  test.each([
    ['blocked customers', "blk_flg = 'Y'"],
    ['number of sales orders per month', "date_trunc('month', s.so_dt)"],
    ['total order amount', 'sum(s.tot_amt)'],
    ['amount by item category', 'sum(sl.lin_amt)'],
    ['orders with a total over 1000', 'tot_amt > 1000'],
    ['items where the standard cost is higher than the list price', 'i.std_cst > i.lst_prc'],
    ['customers without a rep', 'rep_id is null'],
  ])('%s', (question, sql) => {
    expect(ask(depot, question)).toContain(sql)
  })

  test.each(['amount by month', 'orders not shipped yet'])('is asked back: %s', (question) => {
    expect(ask(depot, question)).toMatch(/^(?:readings|nothing)$/)
  })
})

describe('what is said of rows', () => {
  test.each([
    ['open deals', 'not d.is_closed'],
    ['inactive agents', 'not a.is_active'],
    ['share of closed deals that were won', 'filter (where d.is_won)'],
    ['what share of bills is unpaid', 'filter (where b.paid_on is null)'],
    ['deals by category and severity', 'group by d.category, d.severity'],
    ['amount per month by close date', "group by date_trunc('month', d.close_date)::date order by 1"],
    ['amount by owner', 'group by d.owner_id'],
    ['who worked the most overtime', 'sum(s.overtime)'],
    ['total of bills', 'sum(b.total)'],
    ['bills paid after the due date', 'b.paid_on > b.due_on'],
  ])('%s', (question, sql) => {
    expect(ask(desk, question)).toContain(sql)
  })

  test.each([
    ['a date of the end beside that of the beginning', 'won deals in 2025'],
    ['an amount that has no name', 'data usage by agent'],
  ])('is asked back: %s: %s', (_, question) => {
    expect(ask(desk, question)).toMatch(/^(?:readings|nothing)$/)
  })
})
