import { type Question, toQuestions } from './question.ts'

const LIVE = '"IsDeleted" = 0'
const GIVEN = 'crm."Gifts" g join crm."Donors" d using ("DonorID")'
const SHIFTS = 'crm."VolShifts" s join crm."Projects" p using ("ProjID")'

export const CHARITY_QUESTIONS: readonly Question[] = toQuestions([
  ['count', 'How many donors do we have?', `select count(*) from crm."Donors" where ${LIVE}`],
  ['count', 'how many volunteers are active', 'select count(*) from crm."Volunteers" where "VolStatus" = \'ACT\''],
  [
    'count',
    'number of donations in 2025',
    [
      'select count(*) from crm."Gifts" where "PledgedOn" >= \'2025-01-01\' and "PledgedOn" < \'2026-01-01\'',
      'select count(*) from crm."Gifts" where "ReceivedOn" >= \'2025-01-01\' and "ReceivedOn" < \'2026-01-01\'',
    ],
  ],
  ['count', 'how many recurring gifts do we get', 'select count(*) from crm."Gifts" where "IsRecurring"'],
  [
    'count',
    'How many companies donate to us?',
    [
      `select count(*) from crm."Donors" where "DonorType" = 'company' and ${LIVE}`,
      `select count(distinct "DonorID") from ${GIVEN} where "DonorType" = 'company' and ${LIVE}`,
    ],
  ],
  [
    'count',
    'how many donors in York have no email address',
    `select count(*) from crm."Donors" where "Town" = 'York' and "EmailAddr" is null and ${LIVE}`,
  ],
  [
    'count',
    'how many volunteers have not been DBS checked?',
    'select count(*) from crm."Volunteers" where not "DBSChecked"',
  ],
  ['total', 'total donations', ['select sum("GiftAmt") from crm."Gifts"', 'select count(*) from crm."Gifts"']],
  [
    'total',
    'how much money did we raise for Clean Water',
    ['select sum("GiftAmt") from crm."Gifts" where "AppealCode" = \'WAT\''],
  ],
  ['total', 'total hours worked by project', `select "ProjName", sum("HoursWorked") from ${SHIFTS} group by 1`],
  [
    'total',
    'total budget of running projects',
    'select sum("BudgetAmt") from crm."Projects" where "Status" = \'running\'',
  ],
  [
    'total',
    'how many hours did volunteers work in November',
    [
      'select sum("HoursWorked") from crm."VolShifts" where "ShiftDate" >= \'2025-11-01\' and "ShiftDate" < \'2025-12-01\'',
    ],
  ],
  ['average', 'average gift amount', 'select avg("GiftAmt") from crm."Gifts"'],
  ['average', 'average donation by donor type', `select "DonorType", avg("GiftAmt") from ${GIVEN} group by 1`],
  ['average', 'average shift length', 'select avg("HoursWorked") from crm."VolShifts"'],
  [
    'average',
    'mean grant awarded per funder',
    [
      'select "Funder", avg("AwardedAmt") from crm."Grants" group by 1',
      'select "Funder", avg("AwardedAmt") from crm."Grants" where "Outcome" = \'awarded\' group by 1',
    ],
  ],
  ['group', 'donors by town', `select "Town", count(*) from crm."Donors" where ${LIVE} group by 1`],
  ['group', 'gifts per payment method', 'select "PayMethod", count(*) from crm."Gifts" group by 1'],
  [
    'group',
    'raised per appeal',
    [
      'select "AppealTitle", sum("GiftAmt") from crm."Gifts" join crm."Appeals" using ("AppealCode") group by 1',
      'select "AppealCode", sum("GiftAmt") from crm."Gifts" group by 1',
    ],
  ],
  ['group', 'grants by outcome', 'select "Outcome", count(*) from crm."Grants" group by 1'],
  ['group', 'number of projects in each country', 'select "Country", count(*) from crm."Projects" group by 1'],
  [
    'month',
    'gifts received per month this year',
    'select date_trunc(\'month\', "ReceivedOn")::date, count(*) from crm."Gifts" where "ReceivedOn" >= \'2025-01-01\' and "ReceivedOn" < \'2026-01-01\' group by 1',
  ],
  [
    'month',
    'volunteer hours by quarter',
    'select date_trunc(\'quarter\', "ShiftDate")::date, sum("HoursWorked") from crm."VolShifts" group by 1',
  ],
  [
    'time',
    'volunteers who joined in the last 90 days',
    [
      'select "VolID" from crm."Volunteers" where "JoinedDate" >= \'2025-09-16\'',
      'select count(*) from crm."Volunteers" where "JoinedDate" >= \'2025-09-16\'',
    ],
  ],
  [
    'time',
    'how many grants did we apply for in 2024?',
    'select count(*) from crm."Grants" where "AppliedOn" >= \'2024-01-01\' and "AppliedOn" < \'2025-01-01\'',
  ],
  [
    'compare',
    'gift amount 2025 vs 2024',
    [
      'select date_trunc(\'year\', "PledgedOn")::date, sum("GiftAmt") from crm."Gifts" where "PledgedOn" >= \'2024-01-01\' and "PledgedOn" < \'2026-01-01\' group by 1',
      'select date_trunc(\'year\', "ReceivedOn")::date, sum("GiftAmt") from crm."Gifts" where "ReceivedOn" >= \'2024-01-01\' and "ReceivedOn" < \'2026-01-01\' group by 1',
    ],
  ],
  [
    'compare',
    'gifts over 500',
    [
      'select "GiftID" from crm."Gifts" where "GiftAmt" > 500',
      'select count(*) from crm."Gifts" where "GiftAmt" > 500',
    ],
  ],
  [
    'compare',
    'which projects spent more than their budget',
    'select "ProjName" from crm."Projects" where "SpentAmt" > "BudgetAmt"',
  ],
  [
    'compare',
    'donors with more than 10 gifts',
    [
      `select "DonorID" from ${GIVEN} where ${LIVE} group by 1 having count(*) > 10`,
      `select "DonorID" from crm."Gifts" group by 1 having count(*) > 10`,
    ],
  ],
  [
    'top',
    'top 10 donors by total gift amount',
    [
      `select "DonorID" from ${GIVEN} where ${LIVE} group by 1 order by sum("GiftAmt") desc limit 10`,
      'select "DonorID" from crm."Gifts" group by 1 order by sum("GiftAmt") desc limit 10',
    ],
  ],
  [
    'top',
    'which appeal raised the most money?',
    [
      'select "AppealTitle" from crm."Gifts" join crm."Appeals" using ("AppealCode") group by 1 order by sum("GiftAmt") desc limit 1',
    ],
  ],
  ['top', 'biggest gift ever', 'select "GiftID" from crm."Gifts" order by "GiftAmt" desc limit 1'],
  [
    'top',
    'which volunteer worked the most hours',
    'select "VolID" from crm."VolShifts" group by 1 order by sum("HoursWorked") desc limit 1',
  ],
  [
    'share',
    'what percentage of gifts are recurring',
    'select 100.0 * count(*) filter (where "IsRecurring") / count(*) from crm."Gifts"',
  ],
  [
    'share',
    'percentage of grants declined',
    'select 100.0 * count(*) filter (where "Outcome" = \'declined\') / count(*) from crm."Grants"',
  ],
  [
    'absence',
    'donors who never gave anything',
    [
      `select "DonorID" from crm."Donors" d where not exists (select from crm."Gifts" g where g."DonorID" = d."DonorID") and ${LIVE}`,
    ],
  ],
  [
    'absence',
    'gifts we have not thanked for',
    [
      'select "GiftID" from crm."Gifts" where "ThankedDate" is null',
      'select count(*) from crm."Gifts" where "ThankedDate" is null',
    ],
  ],
  [
    'absence',
    'projects without volunteers',
    [
      'select "ProjName" from crm."Projects" p where not exists (select from crm."VolShifts" s where s."ProjID" = p."ProjID")',
    ],
  ],
  ['list', 'appeals that are still running', ['select "AppealTitle" from crm."Appeals" where "EndDate" is null']],
  ['list', 'show projects in Kenya', 'select "ProjName" from crm."Projects" where "Country" = \'Kenya\''],
])
