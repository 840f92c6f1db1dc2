import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const GRANTS_STATEMENTS: readonly string[] = [
  `create table fdn."Organisation" ("OrgId" int primary key, "OrgName" text not null, "OrgType" text not null, "Country" text not null, "ParentOrgId" int references fdn."Organisation", "RegisteredOn" date, "IsBlocked" char(1) not null)`,
  `create table fdn."FundingCall" ("CallId" int primary key, "CallTitle" text not null, "Theme" text not null, "OpensOn" date not null, "ClosesOn" date not null, "Budget" numeric(12,2) not null)`,
  `create table fdn."Application" ("AppId" int primary key, "CallId" int not null references fdn."FundingCall", "OrgId" int not null references fdn."Organisation", "ProjectTitle" text not null, "AmountRequested" numeric(12,2) not null, "SubmittedAt" timestamp not null, "DecidedAt" timestamp, "StatusCode" char(1) not null, "IsResubmission" boolean not null)`,
  `comment on column fdn."Application"."StatusCode" is 'S: submitted, A: approved, R: rejected, W: withdrawn'`,
  `create table fdn."Reviewer" ("ReviewerId" int primary key, "ReviewerName" text not null, "Expertise" text not null, "Institute" text, "ActiveSince" date not null)`,
  `create table fdn."Review" ("ReviewId" int primary key, "AppId" int not null references fdn."Application", "ReviewerId" int not null references fdn."Reviewer", "Score" numeric(4,1), "AssignedOn" date not null, "SubmittedOn" date, "HasConflict" boolean not null)`,
  `create table fdn."Award" ("AwardId" int primary key, "AppId" int not null unique references fdn."Application", "AmountAwarded" numeric(12,2) not null, "AwardDate" date not null, "ProjectStart" date not null, "ProjectEnd" date not null)`,
  `create table fdn."Instalment" ("InstalmentId" int primary key, "AwardId" int not null references fdn."Award", "DueOn" date not null, "PaidOn" date, "Amount" numeric(12,2) not null)`,
  `create table fdn."ProgressReport" ("ReportId" int primary key, "AwardId" int not null references fdn."Award", "DueOn" date not null, "ReceivedOn" date, "Verdict" text)`,
  `create view fdn."OpenApplications" as select "AppId", "CallId", "OrgId", "AmountRequested" from fdn."Application" where "StatusCode" = 'S'`,
  `insert into fdn."Organisation" select n, ${pickWord('Harbor|Meridian|Polar|Sunrise', "'oa' || n")} || ' ' || ${pickWord('Trust|Institute|Lab', "'ob' || n")} || ' ' || n, ${pickWord('university|charity|startup', "'oc' || n")}, ${pickWord('Kenya|Norway|Peru|Japan', "'od' || n")}, case when n > 40 and ${pick("'oe' || n", 5)} = 0 then 1 + ${pick("'of' || n", 39)}::int end, case when ${pick("'og' || n", 8)} > 0 then date '1990-01-01' + ${pick("'oh' || n", 12000)}::int end, ${pickWord('N|N|N|N|Y', "'oi' || n")} from generate_series(1, 260) n`,
  `insert into fdn."FundingCall" select c.n, ${pickWord('Clean|Bright|Fair', "'ca' || c.n")} || ' Futures ' || c.n, ${pickWord('climate|health|education', "'cb' || c.n")}, c.day, c.day + 30 + ${pick("'cc' || c.n", 60)}::int, 500000 + ${pick("'cd' || c.n", 4000000)} from (select n, date '2022-02-01' + 55 * n as day from generate_series(1, 26) n) c`,
  `insert into fdn."Application" select a.n, 1 + ${pick("'aa' || a.n", 24)}::int, 1 + ${pick("'ab' || a.n", 235)}::int, 'Project ' || a.n, 10000 + ${pick("'ac' || a.n", 40000000)} / 100.0, a.at, case when a.s <> 'S' then a.at + (10 + ${pick("'ad' || a.n", 120)}) * interval '1 day' end, a.s, ${pick("'ae' || a.n", 6)} = 0 from (select n, timestamp '2022-03-01 09:00' + ${pick("'af' || n", 31000)} * interval '1 hour' as at, ${pickWord('S|A|A|R|R|R|W', "'ag' || n")} as s from generate_series(1, 1400) n) a`,
  `insert into fdn."Reviewer" select n, 'Prof ' || ${pickWord('Adler|Bose|Chen|Diallo', "'ra' || n")} || ' ' || n, ${pickWord('climate|health|education', "'rb' || n")}, case when ${pick("'rc' || n", 5)} > 0 then ${pickWord('Uni Bergen|Tokyo Tech|Lima Lab', "'rd' || n")} end, date '2012-01-01' + ${pick("'re' || n", 4500)}::int from generate_series(1, 90) n`,
  `insert into fdn."Review" select v.n, 1 + ${pick("'va' || v.n", 1300)}::int, 1 + ${pick("'vb' || v.n", 84)}::int, case when ${pick("'vc' || v.n", 5)} > 0 then ${pick("'vd' || v.n", 100)} / 10.0 end, v.day, case when ${pick("'vc' || v.n", 5)} > 0 then v.day + 1 + ${pick("'ve' || v.n", 45)}::int end, ${pick("'vf' || v.n", 25)} = 0 from (select n, date '2022-04-01' + ${pick("'vg' || n", 1300)}::int as day from generate_series(1, 3100) n) v`,
  `insert into fdn."Award" select row_number() over (order by "AppId"), "AppId", round("AmountRequested" * (60 + ${pick('\'wa\' || "AppId"', 41)}) / 100, 2), "DecidedAt"::date, "DecidedAt"::date + 30, "DecidedAt"::date + 30 + 180 + ${pick('\'wb\' || "AppId"', 800)}::int from fdn."Application" where "StatusCode" = 'A'`,
  `insert into fdn."Instalment" select row_number() over (order by "AwardId", k), "AwardId", "AwardDate" + 90 * k, case when "AwardDate" + 90 * k < date '2025-12-01' and ${pick('\'xa\' || "AwardId" || k', 8)} > 0 then "AwardDate" + 90 * k + ${pick('\'xb\' || "AwardId" || k', 12)}::int end, round("AmountAwarded" / 3, 2) from fdn."Award", generate_series(1, 3) k where "AwardId" % 11 > 0`,
  `insert into fdn."ProgressReport" select row_number() over (order by "AwardId", k), "AwardId", "ProjectStart" + 180 * k, case when ${pick('\'ya\' || "AwardId" || k', 4)} > 0 then "ProjectStart" + 180 * k - 10 + ${pick('\'yb\' || "AwardId" || k', 60)}::int end, case when ${pick('\'ya\' || "AwardId" || k', 4)} > 1 then ${pickWord('on track|delayed|at risk', '\'yc\' || "AwardId" || k')} end from fdn."Award", generate_series(1, 2) k`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
const O = 'fdn."Organisation"'
const C = 'fdn."FundingCall"'
const A = 'fdn."Application"'
const R = 'fdn."Reviewer"'
const V = 'fdn."Review"'
const W = 'fdn."Award"'
const I = 'fdn."Instalment"'
const PR = 'fdn."ProgressReport"'

export const GRANTS_QUESTIONS = toQuestions([
  ['q', 'How many applications did we get in 2025?', `select count(*) from ${A} where "SubmittedAt" >= '2025-01-01'`],
  ['q', 'applications per theme', `select "Theme", count(*) from ${A} join ${C} using ("CallId") group by 1`],
  ['q', 'approved applications', listOrCount('"AppId"', `${A} where "StatusCode" = 'A'`)],
  ['q', 'what share of applications got rejected?', shares(`"StatusCode" = 'R'`, A)],
  [
    'q',
    'withdrawn applications from Norway',
    listOrCount('"AppId"', `${A} join ${O} using ("OrgId") where "StatusCode" = 'W' and "Country" = 'Norway'`),
  ],
  ['q', 'applications by status', `select "StatusCode", count(*) from ${A} group by 1`],
  ['q', 'resubmissions', listOrCount('"AppId"', `${A} where "IsResubmission"`)],
  [
    'q',
    'total amount requested by country',
    `select "Country", sum("AmountRequested") from ${A} join ${O} using ("OrgId") group by 1`,
  ],
  [
    'q',
    'average amount requested for climate calls',
    `select avg("AmountRequested") from ${A} join ${C} using ("CallId") where "Theme" = 'climate'`,
  ],
  ['q', 'largest application', [`select "AppId" from ${A} order by "AmountRequested" desc limit 1`]],
  ['q', 'applications over 300000', listOrCount('"AppId"', `${A} where "AmountRequested" > 300000`)],
  [
    'q',
    'applications asking for between 50000 and 100000',
    listOrCount('"AppId"', `${A} where "AmountRequested" between 50000 and 100000`),
  ],
  ['q', 'applications not decided yet', listOrCount('"AppId"', `${A} where "DecidedAt" is null`)],
  [
    'q',
    'applications decided last month',
    listOrCount('"AppId"', `${A} where "DecidedAt" >= '2025-11-01' and "DecidedAt" < '2025-12-01'`),
  ],
  [
    'q',
    'average time from submission to decision',
    [86400, 3600].map((unit) => `select avg(extract(epoch from "DecidedAt" - "SubmittedAt")) / ${unit} from ${A}`),
  ],
  [
    'q',
    'applications that took longer than 100 days to decide',
    listOrCount('"AppId"', `${A} where extract(epoch from "DecidedAt" - "SubmittedAt") / 86400 > 100`),
  ],
  ['q', 'applications per month', `select ${month('"SubmittedAt"')}, count(*) from ${A} group by 1`],
  [
    'q',
    'applications without a review',
    listOrCount('"AppId"', `${A} a where not exists (select from ${V} v where v."AppId" = a."AppId")`),
  ],
  ['q', 'applications with fewer than 2 reviews', []],
  ['q', 'organisations by type', `select "OrgType", count(*) from ${O} group by 1`],
  ['q', 'blocked organisations', listOrCount('"OrgId"', `${O} where "IsBlocked" = 'Y'`)],
  [
    'q',
    'which organisation submitted the most applications',
    `select "OrgId" from ${A} group by 1 order by count(*) desc, 1 limit 1`,
  ],
  [
    'q',
    'organisations that never applied',
    listOrCount('"OrgId"', `${O} o where not exists (select from ${A} a where a."OrgId" = o."OrgId")`),
  ],
  ['q', 'organisations without a parent', listOrCount('"OrgId"', `${O} where "ParentOrgId" is null`)],
  ['q', 'universities in Japan', listOrCount('"OrgId"', `${O} where "OrgType" = 'university' and "Country" = 'Japan'`)],
  ['q', 'organisations with unknown registration date', listOrCount('"OrgId"', `${O} where "RegisteredOn" is null`)],
  [
    'q',
    'top 5 organisations by amount awarded',
    `select "OrgId" from ${W} join ${A} using ("AppId") group by 1 order by sum("AmountAwarded") desc limit 5`,
  ],
  ['q', 'funding calls by theme', `select "Theme", count(*) from ${C} group by 1`],
  ['q', 'calls with a budget above 3 million', listOrCount('"CallId"', `${C} where "Budget" > 3000000`)],
  [
    'q',
    'calls closing this month',
    listOrCount('"CallId"', `${C} where "ClosesOn" >= '2025-12-01' and "ClosesOn" < '2026-01-01'`),
  ],
  ['q', 'call with the highest budget', `select "CallId" from ${C} order by "Budget" desc limit 1`],
  ['q', 'how long are calls open on average', `select avg("ClosesOn" - "OpensOn") from ${C}`],
  ['q', 'total budget per theme', `select "Theme", sum("Budget") from ${C} group by 1`],
  [
    'q',
    'calls with no applications',
    listOrCount('"CallId"', `${C} c where not exists (select from ${A} a where a."CallId" = c."CallId")`),
  ],
  ['q', 'reviewers by expertise', `select "Expertise", count(*) from ${R} group by 1`],
  ['q', 'reviewers without an institute', listOrCount('"ReviewerId"', `${R} where "Institute" is null`)],
  [
    'q',
    'who reviewed the most applications?',
    [
      `select "ReviewerId" from ${V} group by 1 order by count(*) desc, 1 limit 1`,
      `select "ReviewerId" from ${V} group by 1 order by count(distinct "AppId") desc, 1 limit 1`,
    ],
  ],
  ['q', 'average score per reviewer', `select "ReviewerId", avg("Score") from ${V} group by 1`],
  [
    'q',
    'average review score by theme',
    `select "Theme", avg("Score") from ${V} join ${A} using ("AppId") join ${C} using ("CallId") group by 1`,
  ],
  ['q', 'reviews with a conflict', listOrCount('"ReviewId"', `${V} where "HasConflict"`)],
  ['q', 'reviews not submitted', listOrCount('"ReviewId"', `${V} where "SubmittedOn" is null`)],
  ['q', 'reviews scored below 3', listOrCount('"ReviewId"', `${V} where "Score" < 3`)],
  [
    'q',
    'reviewers who havent reviewed anything',
    listOrCount('"ReviewerId"', `${R} r where not exists (select from ${V} v where v."ReviewerId" = r."ReviewerId")`),
  ],
  [
    'q',
    'average days between assignment and submission of a review',
    `select avg("SubmittedOn" - "AssignedOn") from ${V}`,
  ],
  [
    'q',
    'total awarded in 2024',
    `select sum("AmountAwarded") from ${W} where "AwardDate" >= '2024-01-01' and "AwardDate" < '2025-01-01'`,
  ],
  ['q', 'awards per year', `select date_trunc('year', "AwardDate")::date, count(*) from ${W} group by 1`],
  [
    'q',
    'awarded amount by organisation type',
    `select "OrgType", sum("AmountAwarded") from ${W} join ${A} using ("AppId") join ${O} using ("OrgId") group by 1`,
  ],
  ['q', 'median award', `select percentile_cont(0.5) within group (order by "AmountAwarded") from ${W}`],
  [
    'q',
    'projects ending next year',
    [...listOrCount('"AwardId"', `${W} where "ProjectEnd" >= '2026-01-01' and "ProjectEnd" < '2027-01-01'`)],
  ],
  [
    'q',
    'awards without instalments',
    listOrCount('"AwardId"', `${W} w where not exists (select from ${I} i where i."AwardId" = w."AwardId")`),
  ],
  ['q', 'unpaid instalments', listOrCount('"InstalmentId"', `${I} where "PaidOn" is null`)],
  [
    'q',
    'overdue instalments',
    [...listOrCount('"InstalmentId"', `${I} where "PaidOn" is null and "DueOn" < '2025-12-15'`)],
  ],
  [
    'q',
    'how much did we pay out in 2025',
    `select sum("Amount") from ${I} where "PaidOn" >= '2025-01-01' and "PaidOn" < '2026-01-01'`,
  ],
  [
    'q',
    'amount paid per quarter',
    `select date_trunc('quarter', "PaidOn")::date, sum("Amount") from ${I} where "PaidOn" is not null group by 1`,
  ],
  [
    'q',
    'instalments due in the next 30 days',
    listOrCount('"InstalmentId"', `${I} where "DueOn" >= '2025-12-15' and "DueOn" < '2026-01-14'`),
  ],
  ['q', 'reports that are missing', listOrCount('"ReportId"', `${PR} where "ReceivedOn" is null`)],
  [
    'q',
    'progress reports by verdict',
    [
      `select "Verdict", count(*) from ${PR} group by 1`,
      `select "Verdict", count(*) from ${PR} where "Verdict" is not null group by 1`,
    ],
  ],
  ['q', 'percentage of reports at risk', [...shares(`"Verdict" = 'at risk'`, PR)]],
])
