import { describe, expect, test } from 'vitest'
import { answerQuestion, createEngine } from './answer.ts'
import { suggestFollowUps } from './follow-ups.ts'
import { NOW, ask, toColumn, toTable } from './testing.ts'

const createFrom = (tables: Readonly<Record<string, readonly string[]>>) =>
  createEngine({
    tables: Object.entries(tables).map(([name, columns]) => toTable(name, columns)),
    foreignKeys: [],
    synonyms: [],
  })

const workshop = createFrom({
  kunden: ['kd_nr integer', 'kd_name text', 'ort text Berlin Leipzig', 'geloescht_am date?'],
  vertraege: [
    'vertrag_nr integer',
    'kd_nr integer',
    'vertragsstatus text aktiv gekuendigt',
    'beginn_dat date',
    'grundpreis number',
  ],
})
const rental = createFrom({
  tools: ['tool_cd text', 'tool_name text', 'stars integer'],
  rentals: [
    'rental_no integer',
    'tool_cd text',
    'cust_no integer',
    'rental_stat text OPN CXL NOSHOW',
    'booked_at timestamp',
    'pickup_dt date',
    'paid_amt text 12.50 8.00 99.90',
  ],
  customers: [
    'cust_no integer',
    'first_nm text Ada Bo',
    'last_nm text Kim Lee',
    'vip_yn text Y N',
    'city text Bonn Ulm',
    'notes text a b',
    'IsDeleted integer',
  ],
})

describe('names and words in German', () => {
  test.each([
    ['How many customers are there in Leipzig?', `from s.kunden k where k.ort = 'Leipzig' and k.geloescht_am is null`],
    ['wie viele Kunden haben wir?', 'select count(*) as kunden_count from s.kunden k where k.geloescht_am is null'],
    ['Verträge nach Status', 'group by v.vertragsstatus'],
    ['how many active contracts are there', `where v.vertragsstatus = 'aktiv'`],
    ['average base price by city', 'avg(v.grundpreis)'],
    ['contracts started in 2025', `v.beginn_dat >= '2025-01-01'`],
    ['customers without a contract', 'where not exists (select from s.vertraege vx where k.kd_nr = vx.kd_nr)'],
  ])('%s', (question, part) => {
    expect(ask(workshop, question)).toContain(part)
  })
})

describe('values as they are stored', () => {
  test.each([
    ['how many rentals were cancelled', `where r.rental_stat = 'CXL'`],
    ['what percentage of rentals are no-shows', `filter (where r.rental_stat = 'NOSHOW')`],
    ['number of VIP customers', `c.vip_yn = 'Y'`],
    [
      'total paid amount',
      String.raw`sum(case when r.paid_amt ~ '^\s*[+-]?\d+(\.\d+)?\s*$' then r.paid_amt::numeric end)`,
    ],
    ['rentals with a paid amount over 50 euros', 'then r.paid_amt::numeric end > 50'],
    ['list all 5 star tools', 't.stars = 5'],
    ['rentals with pickup in the next 7 days', `r.pickup_dt >= '2025-12-15' and r.pickup_dt < '2025-12-22'`],
    ['which tools were never rented', 'not exists (select from s.rentals'],
    ['what is the most popular tool?', 'from s.rentals r join s.tools t'],
  ])('%s', (question, part) => {
    expect(ask(rental, question)).toContain(part)
  })
})

test('says that texts which are no numbers are left out', () => {
  const answer = answerQuestion(rental, { text: 'total paid amount', now: NOW, choices: {} })
  expect(answer).toMatchObject({
    reading: {
      summary: expect.stringContaining('Paid amount is stored as text: what is no number there is left out.'),
    },
  })
})

test('a deletion that is stored as a number hides the row', () => {
  const engine = createEngine({
    tables: [
      {
        ...toTable('donors', ['donor_id integer', 'donor_name text']),
        columns: [
          toColumn('donor_id integer'),
          toColumn('donor_name text'),
          { ...toColumn('IsDeleted integer'), distinct: 2 },
        ],
      },
    ],
    foreignKeys: [],
    synonyms: [],
  })
  expect(ask(engine, 'How many donors do we have?')).toContain(`where d."IsDeleted" <> '1'`)
})

test.each(['tools with more stars than rentals', 'how many customers rent'])('asks back: %s', (question) => {
  expect(ask(rental, question)).not.toContain('select')
})

test('follow-ups group by what makes groups, and not by names, notes or what is already one value', () => {
  const answer = answerQuestion(rental, { text: 'how many customers in Bonn', now: NOW, choices: {} })
  if (answer.kind !== 'reading') throw new Error(answer.kind)
  expect(suggestFollowUps(rental, answer.reading.plan, NOW)).toEqual([])
  const all = answerQuestion(rental, { text: 'how many customers', now: NOW, choices: {} })
  if (all.kind !== 'reading') throw new Error(all.kind)
  expect(suggestFollowUps(rental, all.reading.plan, NOW)).toEqual(['number of customers by city'])
})
