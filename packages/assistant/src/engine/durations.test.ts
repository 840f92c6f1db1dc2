import { describe, expect, test } from 'vitest'
import { createEngine } from './answer.ts'
import { ask, listOffers, toKey, toTable } from './testing.ts'

const desk = createEngine({
  tables: [
    toTable('agents', ['agent_id integer', 'agent_name', 'team text Billing Returns']),
    toTable('tickets', [
      'ticket_id integer',
      'agent_id integer',
      'priority text low urgent',
      'opened_at timestamp',
      'answered_at timestamp?',
      'closed_at timestamp?',
    ]),
    toTable('projects', [
      'project_id integer',
      'project_name',
      'kind text internal public',
      'began_on date',
      'ended_on date?',
    ]),
    toTable('calls', ['call_id integer', 'agent_id integer', 'called_at timestamp', 'duration_min integer']),
  ],
  foreignKeys: [toKey('tickets', 'agent_id', 'agents'), toKey('calls', 'agent_id', 'agents')],
  synonyms: [],
})
const filings = createEngine({
  tables: [
    toTable('cases', ['case_id integer', 'docket', 'status text open closed', 'filed_on date', 'closed_on date?']),
    toTable('hearings', ['hearing_id integer', 'case_id integer', 'held_at timestamp', 'duration_min integer']),
  ],
  foreignKeys: [toKey('hearings', 'case_id', 'cases')],
  synonyms: [],
})

describe('the time between two dates of a row', () => {
  test.each([
    ['average time to close a ticket', /avg\(extract\(epoch from t\.closed_at - t\.opened_at\) \/ 3600\)/],
    ['average days to close a ticket', /avg\(extract\(epoch from t\.closed_at - t\.opened_at\) \/ 86400\)/],
    ['median hours to close a ticket', /percentile_cont\(0\.5\) within group \(order by extract.* \/ 3600\)/],
    ['average time to close urgent tickets by team', /\/ 3600\) .* where t\.priority = 'urgent' group by a\.team/],
    ['tickets closed within 2 hours', /where extract\(epoch from t\.closed_at - t\.opened_at\) \/ 3600 <= 2/],
    ['tickets that took more than 3 days to close', /closed_at - t\.opened_at\) \/ 86400 > 3/],
    ['how long do projects take', /select avg\(p\.ended_on - p\.began_on\) as average_days from s\.projects/],
    ['average project duration by kind', /p\.kind, avg\(p\.ended_on - p\.began_on\)/],
    ['projects longer than 3 weeks', /where p\.ended_on - p\.began_on > 21/],
    ['longest project', /where p\.ended_on is not null group by .* order by max\(p\.ended_on - p\.began_on\) desc/],
  ])('%s', (text, sql) => expect(ask(desk, text)).toMatch(sql))

  test.each([
    ['how long are calls on average', /avg\(c\.duration_min\)/],
    ['average call duration', /avg\(c\.duration_min\)/],
    ['calls longer than 2 hours', /where c\.duration_min > 120/],
  ])('a column that holds it goes first: %s', (text, sql) => expect(ask(desk, text)).toMatch(sql))

  test.each([
    // "closed" is a status, but the verb means the date.
    ['cases that took more than 90 days to close', /where c\.closed_on - c\.filed_on > 90 order/],
    ['average days from filing to closing', /select avg\(c\.closed_on - c\.filed_on\)/],
    ['how long does it take to close a case', /select avg\(c\.closed_on - c\.filed_on\)/],
    [
      'cases open for more than 30 days',
      /c\.filed_on < '2025-11-15'.*c\.status = 'open'|c\.status = 'open'.*c\.filed_on < '2025-11-15'/,
    ],
    ['cases older than 30 days', /where c\.filed_on < '2025-11-15'/],
  ])('%s', (text, sql) => expect(ask(filings, text)).toMatch(sql))

  test('it says what is measured, and asks which date a year speaks of', () => {
    expect(ask(desk, 'average time to close a ticket in 2024')).toBe('readings')
    expect(listOffers(desk, 'average time to close a ticket in 2024')[0]).toMatch(
      /^Average hours from opened at to closed at/,
    )
  })

  test('tickets have two ends: which one is meant is asked', () => {
    expect(ask(desk, 'how long do tickets take')).not.toMatch(/^select/)
  })
})
