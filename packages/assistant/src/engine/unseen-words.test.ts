import { describe, expect, test } from 'vitest'
import { createEngine } from './answer.ts'
import { ask, toKey, toTable } from './testing.ts'

const court = createEngine({
  tables: [
    toTable('party', ['party_id integer', 'party_name', 'kind text person company']),
    toTable('judge', ['judge_id integer', 'judge_name']),
    toTable('lawsuit', [
      'lawsuit_id integer',
      'presiding_judge_id integer?',
      'status text open closed',
      'opened_on date',
      'closed_on date?',
    ]),
    toTable('motion', [
      'motion_id integer',
      'lawsuit_id integer',
      'filed_by_party_id integer',
      'filed_on date',
      'motion_type text appeal delay',
    ]),
  ],
  foreignKeys: [
    toKey('lawsuit', 'presiding_judge_id', 'judge.judge_id'),
    toKey('motion', 'lawsuit_id', 'lawsuit'),
    toKey('motion', 'filed_by_party_id', 'party.party_id'),
  ],
  synonyms: [],
})
const lab = createEngine({
  tables: [
    toTable('study', ['study_id integer', 'study_title', 'target_enrolment integer', 'start_date date']),
    toTable('site', ['site_id integer', 'site_name', 'fridge_km number']),
    toTable('visit', [
      'visit_id integer',
      'study_id integer',
      'site_id integer',
      'seen_on date',
      'weight_kg number?',
      'way_km number',
    ]),
    toTable('lab_result', [
      'result_id integer',
      'visit_id integer',
      'analyte text Glucose Iron',
      'result_value number?',
      'nurse text Ada Bo Cy',
    ]),
    toTable('dim_dev', [
      'dev_id integer',
      'serial_no',
      'mfr text Acme Bolt',
      'sev_lvl integer',
      'ack_by text ann bob',
      'ack_ts timestamp?',
    ]),
  ],
  foreignKeys: [
    toKey('visit', 'study_id', 'study'),
    toKey('visit', 'site_id', 'site'),
    toKey('lab_result', 'visit_id', 'visit'),
  ],
  synonyms: [],
})
const fuhrpark = createEngine({
  tables: [
    toTable('werkstatt', ['werkstatt_id integer', 'werkstatt_name', 'ort text Kassel Fulda']),
    toTable('fahrzeug', [
      'fzg_id integer',
      'hersteller text Opel Ford',
      'antrieb text Diesel Elektro',
      'baujahr integer',
    ]),
    toTable('wartung', [
      'wartung_id integer',
      'fzg_id integer',
      'werkstatt_id integer',
      'begonnen_am date',
      'fertig_am date?',
      'kosten number',
    ]),
    toTable('schaden', ['schaden_id integer', 'fzg_id integer', 'schadensdatum date', 'versicherung_gemeldet boolean']),
  ],
  foreignKeys: [
    toKey('wartung', 'fzg_id', 'fahrzeug'),
    toKey('wartung', 'werkstatt_id', 'werkstatt'),
    toKey('schaden', 'fzg_id', 'fahrzeug'),
  ],
  synonyms: [],
})

describe('what is said of a row', () => {
  test.each([
    ['who filed the most motions', /group by p\.party_id.* order by count\(\*\) desc/],
    ['which judge presides over the most lawsuits', /group by j\.judge_id.* order by count\(\*\) desc/],
    ['lawsuits closed last month', /where l\.closed_on >= '2025-11-01' and l\.closed_on < '2025-12-01' order/],
    ['lawsuits opened between March and June 2024', /opened_on >= '2024-03-01' and l\.opened_on < '2024-07-01'/],
  ])('court: %s', (text, sql) => expect(ask(court, text)).toMatch(sql))

  test.each([
    ['average glucose', /avg\(lr\.result_value\).* where lr\.analyte = 'Glucose'/],
    ['highest iron', /where lr\.analyte = 'Iron' order by lr\.result_value desc nulls last, lr\.result_id limit 1/],
    ['visits where the weight is missing', /where v\.weight_kg is null/],
    ['visits with unknown weight', /where v\.weight_kg is null/],
    ['distinct analytes', /select lr\.analyte, count\(\*\).* group by lr\.analyte/],
    ['devices by manufacturer', /d\.mfr, count\(\*\)/],
    ['who acknowledged the most devices', /group by d\.ack_by/],
    ['severity 3 or higher devices', /where d\.sev_lvl >= 3/],
    ['visits over 50 km', /where v\.way_km > 50/],
  ])('lab: %s', (text, sql) => expect(ask(lab, text)).toMatch(sql))

  test('what was planned is not what was done', () => {
    expect(ask(lab, 'enrolments by month')).not.toMatch(/^select/)
    expect(ask(lab, 'total target enrolment')).toMatch(/sum\(s\.target_enrolment\)/)
  })

  test('an average over those that have some is offered, as it may be meant over all', () => {
    expect(ask(lab, 'average visits per site')).toBe('readings')
  })
})

const network = createEngine({
  tables: [
    toTable('shows', ['show_id integer', 'show_title', 'parent_show_id integer?', 'launched_on date']),
    toTable('people', ['person_id integer', 'full_name', 'city text Oslo Rome']),
    toTable('reviewers', ['reviewer_id integer', 'reviewer_name']),
    toTable('reviews', [
      'review_id integer',
      'show_id integer',
      'reviewer_id integer',
      'stars integer',
      'status text submitted withdrawn',
      'submitted_on date',
      'withdrawn_on date?',
    ]),
    toTable('donations', ['donation_id integer', 'person_id integer', 'amount number', 'given_on date']),
    { ...toTable('open_reviews', ['review_id integer', 'show_id integer', 'stars integer']), primaryKey: [] },
  ],
  foreignKeys: [
    toKey('shows', 'parent_show_id', 'shows.show_id'),
    toKey('reviews', 'show_id', 'shows'),
    toKey('reviews', 'reviewer_id', 'reviewers'),
    toKey('donations', 'person_id', 'people'),
  ],
  synonyms: [],
})

describe('what people write', () => {
  test.each([
    ['oldest show', /from s\.shows s order by s\.launched_on, s\.show_id limit 1/],
    ['people from Oslo', /from s\.people p where p\.city = 'Oslo'/],
    ['top 3 people by donation amount', /sum\(d\.amount\).* group by p\.person_id.* limit 3/],
    ['people who havent made a donation', /from s\.people p where not exists/],
    ['shows without a parent', /where s\.parent_show_id is null/],
    ['reviews with 4 stars or more', /where r\.stars >= 4/],
    ['donations with an amount over 2 million', /where d\.amount > 2000000/],
    ['average stars', /avg\(r\.stars\)/],
    ['sum of donations', /sum\(d\.amount\)/],
    ['withdrawn reviews per month', /where .*r\.withdrawn_on is not null/],
    ['who reviewed the most shows', /group by r2?\.reviewer_id/],
    ['which reviewer submitted the most reviews', /^(?!.* where ).* group by r2\.reviewer_id/],
  ])('%s', (text, sql) => expect(ask(network, text)).toMatch(sql))

  test('those without any row are fewer as well: it is asked', () => {
    expect(ask(network, 'people with fewer than 3 donations')).toBe('readings')
    expect(ask(network, 'people with more than 3 donations')).toMatch(/having count\(\*\) > 3/)
  })

  test('rows are not grouped by themselves', () => {
    expect(ask(network, 'reviews by review')).not.toMatch(/^select/)
  })
})

const harbour = createEngine({
  tables: [
    { ...toTable('berth', ['berth_code text', 'terminal text East West', 'shore_power text Y N']), rows: 18 },
    toTable('vessel', ['vessel_id integer', 'vessel_name', 'scrapped_on date?']),
    toTable('inspection', ['insp_id integer', 'vessel_id integer', 'insp_date date', 'result text passed detained']),
    toTable('stay', ['stay_id integer', 'vessel_id integer', 'arrived_at timestamp', 'departed_at timestamp?']),
    toTable('invoice', ['inv_no text', 'stay_id integer', 'issued_on date', 'paid_on date?', 'amount_eur number']),
    toTable('crew_course', ['course_id integer', 'teacher_id integer', 'month_fee number', 'level text first second']),
    toTable('teacher', ['teacher_id integer', 'teacher_name', 'hired_on date']),
    toTable('hour', ['hour_id integer', 'course_id integer', 'room text R1 R2', 'cancelled boolean']),
  ].map((table) =>
    table.name === 'berth'
      ? { ...table, columns: table.columns.map((column) => ({ ...column, distinct: -column.distinct / 18 })) }
      : table,
  ),
  foreignKeys: [
    toKey('inspection', 'vessel_id', 'vessel'),
    toKey('stay', 'vessel_id', 'vessel'),
    toKey('invoice', 'stay_id', 'stay'),
    toKey('crew_course', 'teacher_id', 'teacher'),
    toKey('hour', 'course_id', 'crew_course'),
  ],
  synonyms: [],
})

describe('guesses that are not answered', () => {
  test.each([
    ['berths with shore power', /where b\.shore_power = 'Y'/],
    ['berths without shore power', /where b\.shore_power <> 'Y'/],
    ['average time between arrival and departure', /avg\(extract\(epoch from s\.departed_at - s\.arrived_at\)/],
    ['total invoiced in 2025', /sum\(i\.amount_eur\)/],
    ['average days until an invoice is paid', /avg\(i\.paid_on - i\.issued_on\)/],
    ['average monthly fee by level', /^(?!.*date_trunc).*avg\(cc\.month_fee\).* group by cc\.level/],
  ])('sure: %s', (text, sql) => expect(ask(harbour, text)).toMatch(sql))

  test.each([
    'vessels detained in 2025',
    'vessels in 2025',
    'crew courses last week',
    'cancelled lessons',
    'lessons by room',
  ])('asked back: %s', (text) => expect(ask(harbour, text)).not.toMatch(/^select/))
})

const camping = createEngine({
  tables: [
    toTable('campers', ['camper_id integer', 'surname', 'country text Spain France']),
    toTable('stays', [
      'stay_id integer',
      'camper_id integer',
      'arrival date',
      'children integer',
      'total_price number',
    ]),
    toTable('extras', ['extra_id integer', 'stay_id integer', 'extra_kind text firewood bike', 'quantity integer']),
  ],
  foreignKeys: [toKey('stays', 'camper_id', 'campers'), toKey('extras', 'stay_id', 'stays')],
  synonyms: [],
})

describe('what is asked of rows', () => {
  test.each(['who stayed the most', 'stays with children', 'firewood sold'])('asked back: %s', (text) =>
    expect(ask(camping, text)).not.toMatch(/^select/),
  )
  test('a total price is added up', () => {
    expect(ask(camping, 'total price of stays per country')).toMatch(/sum\(s\.total_price\)/)
    expect(ask(camping, 'stays with more than 2 children')).toMatch(/where s\.children > 2/)
  })
})

describe('German names', () => {
  test.each([
    ['vehicles by manufacturer', /f\.hersteller, count\(\*\)/],
    ['electric vehicles', /where f\.antrieb = 'Elektro'/],
    ['vehicles built before 2012', /where f\.baujahr < 2012/],
    ['workshops in Kassel', /where w\.ort = 'Kassel'/],
    ['maintenance cost by workshop', /sum\(w\.kosten\).* group by w2\.werkstatt_id/],
    ['maintenance that is not finished', /where w\.fertig_am is null/],
    ['damages that were not reported to the insurance', /where not s\.versicherung_gemeldet order/],
    ['Fahrzeuge pro Hersteller', /f\.hersteller, count\(\*\)/],
    ['welche Werkstatt hat die meisten Wartungen', /group by w2\.werkstatt_id.* order by count\(\*\) desc/],
    ['Kosten der Wartungen im Jahr 2025', /sum\(w\.kosten\).* where w\.begonnen_am >= '2025-01-01'/],
  ])('%s', (text, sql) => expect(ask(fuhrpark, text)).toMatch(sql))
})
