import { describe, expect, test } from 'vitest'
import { createEngine } from './answer.ts'
import { ask, toKey, toTable } from './testing.ts'

const school = createEngine({
  tables: [
    toTable('tbl_student', ['stud_no integer', 'lname', 'grade_lvl integer', 'enrolled_dt date', 'aid number?']),
    toTable('tbl_teacher', ['teach_no integer', 'tname', 'subj_area text Maths Music']),
    toTable('tbl_course', ['crs_code text', 'crs_title', 'teach_no integer']),
    toTable('tbl_enrolment', ['enr_no integer', 'stud_no integer', 'crs_code', 'mark integer?']),
    toTable('tbl_absence', ['abs_no integer', 'stud_no integer', 'abs_date date', 'is_excused boolean']),
  ],
  foreignKeys: [
    toKey('tbl_course', 'teach_no', 'tbl_teacher'),
    toKey('tbl_enrolment', 'stud_no', 'tbl_student'),
    toKey('tbl_enrolment', 'crs_code', 'tbl_course'),
    toKey('tbl_absence', 'stud_no', 'tbl_student'),
  ],
  synonyms: [],
})
const fleet = createEngine({
  tables: [
    toTable('vehicles', ['vehicle_id integer', 'plate', 'make text Volvo Tesla', 'retired_on date?']),
    toTable('drivers', ['driver_id integer', 'driver_name', 'licence_class text CE B']),
    toTable('trips', ['trip_id integer', 'vehicle_id integer', 'driver_id integer', 'distance_km number']),
  ],
  foreignKeys: [toKey('trips', 'vehicle_id', 'vehicles'), toKey('trips', 'driver_id', 'drivers')],
  synonyms: [],
})

const hotel = createEngine({
  tables: [
    toTable('RoomTypes', ['RoomTypeId integer', 'TypeName text Single Suite']),
    toTable('Rooms', ['RoomId integer', 'RoomTypeId integer', 'Floor integer']),
    toTable('Bookings', [
      'BookingId integer',
      'RoomId integer',
      'CheckIn date',
      'TotalAmount number',
      'CancelledAt date?',
    ]),
  ],
  foreignKeys: [toKey('Rooms', 'RoomTypeId', 'RoomTypes'), toKey('Bookings', 'RoomId', 'Rooms')],
  synonyms: [],
})

const rented = createEngine({
  tables: [
    toTable('accounts', ['account_id integer', 'title', 'created_at timestamp', 'deleted_at timestamp?']),
    toTable('contracts', [
      'contract_id integer',
      'account_id integer',
      'status text active canceled',
      'seats integer',
      'amount_paid_cents integer',
      'started_at timestamp',
      'canceled_at timestamp?',
    ]),
    toTable('requests', [
      'request_id integer',
      'account_id integer',
      'state text open solved',
      'opened_at timestamp',
      'answered_at timestamp?',
    ]),
  ],
  foreignKeys: [toKey('contracts', 'account_id', 'accounts'), toKey('requests', 'account_id', 'accounts')],
  synonyms: [],
})
const staff = createEngine({
  tables: [
    toTable('tbl_emp', ['emp_no integer', 'emp_lst_nm', 'emp_last_seen_dt date?']),
    {
      ...toTable('tbl_trn', ['trn_no integer', 'trn_ttl', 'trn_hrs_cnt integer']),
      comment: 'Trainings',
    },
    {
      ...toTable('tbl_att', [
        'att_no integer',
        'emp_no integer',
        'trn_no integer',
        'att_dt date',
        'att_days_cnt integer',
      ]),
      comment: 'Attendance of trainings',
    },
    { ...toTable('tbl_rvw', ['rvw_no integer', 'emp_no integer', 'rvw_rtg integer']), comment: 'Reviews' },
  ],
  foreignKeys: [
    toKey('tbl_att', 'emp_no', 'tbl_emp'),
    toKey('tbl_att', 'trn_no', 'tbl_trn'),
    toKey('tbl_rvw', 'emp_no', 'tbl_emp'),
  ],
  synonyms: [],
})

const library = createEngine({
  tables: [
    toTable('titles', [
      'title_id integer',
      'book_title',
      'genre text novel crime',
      'published_year integer',
      'page_count integer',
    ]),
    toTable('copies', ['copy_id integer', 'title_id integer', 'acquired_on date', 'condition text new worn']),
    toTable('members', ['member_id integer', 'family_name', 'joined_at timestamp']),
    toTable('loans', ['loan_id integer', 'copy_id integer', 'member_id integer', 'borrowed_at timestamp']),
    toTable('fines', ['fine_id integer', 'loan_id integer', 'fine_amount number', 'issued_on date', 'paid_on date?']),
  ],
  foreignKeys: [
    toKey('copies', 'title_id', 'titles'),
    toKey('loans', 'copy_id', 'copies'),
    toKey('loans', 'member_id', 'members'),
    toKey('fines', 'loan_id', 'loans'),
  ],
  synonyms: [],
})

describe('a schema with names of its own is read', () => {
  test.each([
    ['students per grade', /group by s\.grade_lvl/],
    ['teachers by subject', /group by t\.subj_area/],
    ['how many students get aid', /count\(\*\).* where s\.aid is not null/],
  ])('school: %s', (text, sql) => expect(ask(school, text)).toMatch(sql))

  test.each([
    ['average trip distance by make', /avg\(t\.distance_km\).* group by v\.make/],
    ['how many vehicles are retired', /count\(\*\).* where v\.retired_on is not null/],
    ['how many vehicles are not retired', /count\(\*\).* where v\.retired_on is null/],
    ['how many drivers hold a CE licence', /count\(\*\).* where d\.licence_class = 'CE'/],
    ['kilometres per driver', /sum\(t\.distance_km\).* group by d\.driver_id/],
  ])('fleet: %s', (text, sql) => expect(ask(fleet, text)).toMatch(sql))

  test.each([
    ['total amount by room type', /"TypeName", sum\(b\."TotalAmount"\)/],
    ['total amount of cancelled bookings', /sum\(b\."TotalAmount"\).*"CancelledAt" is not null/],
    ['how many bookings over 2000', /"TotalAmount" > 2000/],
    ['percentage of bookings that were cancelled', /filter \(where b\."CancelledAt" is not null\)/],
    ['bookings over 2025', /"CheckIn" >= '2025-01-01'/],
  ])('hotel: %s', (text, sql) => expect(ask(hotel, text)).toMatch(sql))
})

describe('what a careful analyst would not forget', () => {
  test.each([
    ['how much in fines was issued in 2025', /^select sum\(f\.fine_amount\).* where f\.issued_on >= '2025-01-01'/],
    ['new members in 2024', /^select (?!.*exists).* where m\.joined_at >= '2024-01-01'/],
    ['novels published after 2015', /^select t\.title_id, (?!.*exists).*published_year >= 2016/],
    ['titles of 2015', /^select (?!.*exists).*published_year >= 2015 and t\.published_year < 2016/],
    ['members who never borrowed anything', /where not exists \(select from s\.loans/],
    ['unpaid fines', /where f\.paid_on is null/],
    ['the 3 longest titles', /order by t\.page_count desc, t\.title_id limit 3/],
  ])('library: %s', (text, sql) => expect(ask(library, text)).toMatch(sql))

  test('school: unexcused absences by month', () =>
    expect(ask(school, 'unexcused absences by month')).toMatch(/where not a\.is_excused group by/))

  test.each([
    ['how many accounts are there', /from s\.accounts a where a\.deleted_at is null$/],
    ['how many deleted accounts', /where a\.deleted_at is not null$/],
    ['accounts without a contract', /not exists .* and a\.deleted_at is null/],
    ['average seats per contract', /^select avg\(c\.seats\) as average_seats from s\.contracts c$/],
    ['amount paid by month', /sum\(c\.amount_paid_cents\)/],
    ['contracts with an amount paid over 2000', /amount_paid_cents > 200000/],
    ['canceled contracts per month', /date_trunc\('month', c\.canceled_at\)/],
    ['requests opened in the last 30 days', /where r\.opened_at >= '2025-11-15' order by/],
    ['how many open requests', /where r\.state = 'open'/],
    [
      'requests not answered in the last 7 days',
      /\(r\.answered_at is null or not \(r\.answered_at >= '2025-12-08'\)\) order by/,
    ],
    ['accounts with at least 5 open requests', /where r\.state = 'open'.* having count\(\*\) >= 5/],
    [
      'which account has the most active contracts',
      /where c\.status = 'active'.* order by count\(\*\) desc, a\.account_id limit 1/,
    ],
  ])('rented: %s', (text, sql) => expect(ask(rented, text)).toMatch(sql))

  test.each([
    ['total days in 2025', /^select sum\(a\.att_days_cnt\).* where a\.att_dt >= '2025-01-01'/],
    ['average days per training', /trn_ttl, avg\(a\.att_days_cnt\)/],
    ['average rating', /avg\(r\.rvw_rtg\)/],
    ['training attendances by month', /count\(\*\).* from s\.tbl_att/],
    [
      'employees who never attended a training',
      /^(?!.* exists .* exists ).* where not exists \(select from s\.tbl_att/,
    ],
  ])('staff: %s', (text, sql) => expect(ask(staff, text)).toMatch(sql))
})

describe('instead of an answer to another question it asks back', () => {
  test.each(['students with a mark below 40', 'courses nobody enrolled in', 'rainfall by subject'])(
    'school: %s',
    (text) => expect(ask(school, text)).not.toMatch(/^select/),
  )

  test.each(['average days of reviews', 'average number of trainings per training'])('staff: %s', (text) =>
    expect(ask(staff, text)).not.toMatch(/^select/),
  )

  test.each(['drivers who never drove', 'oldest vehicle', 'profit by make'])('fleet: %s', (text) =>
    expect(ask(fleet, text)).not.toMatch(/^select/),
  )
})
