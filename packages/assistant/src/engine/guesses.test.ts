import { describe, expect, test } from 'vitest'
import { answerQuestion, createEngine } from './answer.ts'
import { suggestFollowUps } from './follow-ups.ts'
import { NOW, ask, toKey, toTable } from './testing.ts'

const port = createEngine({
  tables: [
    toTable('crews', ['crew_id integer', 'crew_name', 'birth_date date', 'bonus number']),
    toTable('berths', ['berth_code text', 'basin text North South', 'capacity integer']),
    toTable('ships', ['ship_id integer', 'ship_name', 'built integer', 'tonnage number', 'class text? bulk tanker']),
    toTable('calls', [
      'call_id integer',
      'ship_id integer',
      'berth_code text?',
      'from_crew_id integer',
      'to_crew_id integer',
      'requested_on date',
      'moored_on date',
      'settled_on date?',
      'delay_hours integer',
      'call_state text delayed settled loading',
      'containers integer',
      'fee number',
    ]),
    toTable('ticket_sale', ['sale_id integer', 'sold_at timestamp', 'price number']),
  ],
  foreignKeys: [
    toKey('calls', 'ship_id', 'ships'),
    toKey('calls', 'berth_code', 'berths'),
    toKey('calls', 'from_crew_id', 'crews.crew_id'),
    toKey('calls', 'to_crew_id', 'crews.crew_id'),
  ],
  synonyms: [],
})

describe('a reading that rests on a guess is offered, not answered', () => {
  test.each([
    ['one of two ways to join', 'calls by crew'],
    ['one of two dates that are as likely', 'calls in May 2025'],
    ['an amount that is repeated by a join', 'fee per tonnage'],
    ['a property that no column holds', 'living crews'],
    ['a state of now that no column holds', 'current calls'],
    ['money that a number of rows does not answer', 'ticket revenue in 2025'],
    ['which of several numbers is compared', 'calls over 5000'],
    ['a status, or the day on which it was reached', 'calls that are not settled'],
    ['another form of a stored word', 'settlers'],
    ['an average of what is counted', 'average container'],
    ['a rate that is a share of rows', 'delayed rate'],
    ['a number that is divided by', 'calls per 1000 crews'],
    ['an order without a column to go by', 'largest tanker'],
  ])('%s: %s', (_, question) => {
    expect(ask(port, question)).toMatch(/^(?:readings|nothing)$/)
  })
})

describe('what the words say is answered', () => {
  test.each([
    ['crews under 30', "birth_date >= '1995-12-15'"],
    ['ships built before 1990', 'built < 1990'],
    ['oldest ship', 'order by s.built, s.ship_id limit 1'],
    ['largest berth', 'order by b.capacity desc, b.berth_code limit 1'],
    ['busiest berth', 'from s.calls c join s.berths b'],
    ['most common class of ships', 'where s.class is not null'],
    ['average delay in hours', 'select avg(c.delay_hours) as average_delay_hours from s.calls c'],
    ['calls settled in 2024', "where c.settled_on >= '2024-01-01'"],
  ])('%s', (question, part) => {
    expect(ask(port, question)).toContain(part)
  })
})

test('no follow-up is suggested that would be asked back', () => {
  const answer = answerQuestion(port, { text: 'how many calls', now: NOW, choices: {} })
  if (answer.kind !== 'reading') throw new Error(answer.kind)
  expect(ask(port, 'number of calls by month')).toBe('readings')
  expect(suggestFollowUps(port, answer.reading.plan, NOW)).not.toContain('number of calls by month')
})
