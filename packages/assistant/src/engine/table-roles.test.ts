import { describe, expect, test } from 'vitest'
import { answerQuestion, createEngine } from './answer.ts'
import { NOW, ask, listOffers, toKey, toTable } from './testing.ts'

const travel = createEngine({
  tables: [
    toTable('airports', ['airport_id integer', 'name', 'city text Paris Rome', 'country text France Italy']),
    toTable('flights', [
      'flight_id integer',
      'origin_airport_id integer',
      'destination_airport_id integer',
      'departs_at timestamp',
      'price number',
    ]),
  ],
  foreignKeys: [
    toKey('flights', 'origin_airport_id', 'airports.airport_id'),
    toKey('flights', 'destination_airport_id', 'airports.airport_id'),
  ],
  synonyms: [],
})

const office = createEngine({
  tables: [
    toTable('regions', ['region_id integer', 'region_name text North South']),
    toTable('addresses', ['address_id integer', 'region_id integer', 'city text Berlin', 'country text Germany']),
    toTable('orders', [
      'order_id integer',
      'billing_address_id integer',
      'shipping_address_id integer',
      'total number',
    ]),
    toTable('quotes', ['quote_id integer', 'billing_address_id integer', 'shipping_address_id integer']),
    toTable('teams', ['team_id integer', 'team_name']),
    toTable('matches', ['match_id integer', 'home_team_id integer', 'away_team_id integer', 'away_goals integer']),
    toTable('employees', ['employee_id integer', 'full_name']),
    toTable('tickets', ['ticket_id integer', 'opened_by integer', 'assigned_to integer?', 'status text open closed']),
  ],
  foreignKeys: [
    toKey('addresses', 'region_id', 'regions'),
    toKey('orders', 'billing_address_id', 'addresses.address_id'),
    toKey('orders', 'shipping_address_id', 'addresses.address_id'),
    toKey('quotes', 'billing_address_id', 'addresses.address_id'),
    toKey('quotes', 'shipping_address_id', 'addresses.address_id'),
    toKey('matches', 'home_team_id', 'teams.team_id'),
    toKey('matches', 'away_team_id', 'teams.team_id'),
    toKey('tickets', 'opened_by', 'employees.employee_id'),
    toKey('tickets', 'assigned_to', 'employees.employee_id'),
  ],
  synonyms: [],
})

describe('a word says which of two links to a table is meant', () => {
  test.each([
    ['number of flights by destination city', /select a\.city as destination_city, .* = f\.destination_airport_id/],
    ['flights by destination', /= f\.destination_airport_id group by a\.airport_id, a\.name/],
    ['top 3 destinations by number of flights', /= f\.destination_airport_id .* limit 3$/],
    ['flights from Rome', /= f\.origin_airport_id where a\.city = 'Rome'/],
    ['average price of flights to Italy', /= f\.destination_airport_id where a\.country = 'Italy'/],
    ['number of flights with destination Paris', /= f\.destination_airport_id where a\.city = 'Paris'/],
    ['airports in Italy', /from s\.airports a where a\.country = 'Italy'/],
  ])('flights: %s', (text, sql) => expect(ask(travel, text)).toMatch(sql))

  test.each([
    ['orders by shipping country', /= o\.shipping_address_id group by a\.country/],
    ['quotes by shipping country', /from s\.quotes .* = q\.shipping_address_id group by a\.country/],
    ['number of orders billed in Germany', /= o\.billing_address_id where a\.country = 'Germany'/],
    ['orders by shipping region', /= o\.shipping_address_id join s\.regions r on r\.region_id = a\.region_id/],
    ['number of matches by away team', /= m\.away_team_id group by t\.team_id/],
    ['number of tickets opened by each employee', /= t\.opened_by group by e\.employee_id/],
    ['number of tickets assigned to each employee', /= t\.assigned_to group by e\.employee_id/],
    ['open tickets', /where t\.status = 'open'/],
  ])('office: %s', (text, sql) => expect(ask(office, text)).toMatch(sql))
})

test('both in one question join the table twice', () => {
  expect(ask(travel, 'number of flights from Rome to Paris')).toContain(`a.city = 'Rome' and a2.city = 'Paris'`)
  expect(ask(travel, 'number of flights by origin and destination city')).toContain(
    'select a.city as origin_city, a2.city as destination_city',
  )
  expect(ask(travel, 'number of flights by origin and destination')).toContain('a.airport_id, a.name, a2.airport_id')
})

describe('without such a word each of them is offered', () => {
  test.each([
    ['number of flights per airport', ['airports (origin)', 'airports (destination)']],
    ['flights in Paris', ['city (origin) is Paris', 'city (destination) is Paris']],
  ])('flights: %s', (text, parts) =>
    expect(listOffers(travel, text)).toEqual(parts.map((part) => expect.stringContaining(part))),
  )

  test.each([
    ['tickets by employee', ['employees (opened by)', 'employees (assigned to)']],
    ['orders by country', ['country (billing)', 'country (shipping)']],
  ])('office: %s', (text, parts) =>
    expect(listOffers(office, text)).toEqual(parts.map((part) => expect.stringContaining(part))),
  )

  test('the one that is chosen is answered', () => {
    const text = 'number of flights per airport'
    const offeredEngineAnswer = answerQuestion(travel, { text, now: NOW, choices: {} })
    const choices = offeredEngineAnswer.kind === 'readings' ? offeredEngineAnswer.readings[1]?.choices : undefined
    const answer = answerQuestion(travel, { text, now: NOW, choices: choices ?? {} })
    expect(answer).toMatchObject({
      kind: 'reading',
      reading: { summary: 'Number of flights by airports (destination).' },
    })
    expect(answer).toMatchObject({ reading: { tables: [{ name: 'flights' }, { key: 's.airports' }] } })
  })
})
