import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const TRIALS_STATEMENTS: readonly string[] = [
  `create table ctms."clinicalTrial" ("trialId" int primary key, "trialCode" text not null, "trialTitle" text not null, phase text not null, sponsor text not null, "targetEnrolment" int not null, "startDate" date not null, "endDate" date, "trialStatus" text not null)`,
  `create table ctms."trialSite" ("siteId" int primary key, "siteName" text not null, country text not null, "activatedOn" date, "bedCount" int not null)`,
  `create table ctms."siteParticipation" ("trialId" int not null references ctms."clinicalTrial", "siteId" int not null references ctms."trialSite", "monthlyFee" numeric(9,2) not null, primary key ("trialId", "siteId"))`,
  `create table ctms."investigator" ("investigatorId" int primary key, "fullName" text not null, speciality text not null, "siteId" int not null references ctms."trialSite", "supervisorId" int references ctms."investigator")`,
  `create table ctms."participant" ("participantId" int primary key, "subjectCode" text not null, "trialId" int not null references ctms."clinicalTrial", "siteId" int not null references ctms."trialSite", arm text not null, sex text not null, "birthDate" date not null, "enrolledOn" date not null, "withdrawnOn" date, "withdrawalReason" text, "consentSigned" boolean not null)`,
  `create table ctms."visit" ("visitId" int primary key, "participantId" int not null references ctms."participant", "investigatorId" int references ctms."investigator", "visitType" text not null, "scheduledFor" date not null, "completedAt" timestamptz, "weightKg" numeric(5,1))`,
  `create table ctms."adverseEvent" ("eventId" int primary key, "participantId" int not null references ctms."participant", "eventTerm" text not null, severity text not null, "isSerious" boolean not null, "onsetDate" date not null, "resolvedDate" date)`,
  `create table ctms."labResult" ("resultId" int primary key, "visitId" int not null references ctms."visit", analyte text not null, "resultValue" numeric(8,2), unit text not null, "outOfRange" boolean not null)`,
  `insert into ctms."clinicalTrial" select n, 'CT-' || (100 + n), ${pickWord('Lipid|Asthma|Migraine|Eczema', "'ta' || n")} || ' study ' || n, ${pickWord('I|II|III|IV', "'tb' || n")}, ${pickWord('Novara|Biolink|Helixon', "'tc' || n")}, 40 + ${pick("'td' || n", 300)}::int, date '2022-01-01' + ${pick("'te' || n", 1200)}::int, case when ${pick("'tf' || n", 3)} = 0 then date '2025-04-01' + ${pick("'tg' || n", 250)}::int end, ${pickWord('recruiting|recruiting|completed|suspended', "'th' || n")} from generate_series(1, 22) n`,
  `insert into ctms."trialSite" select n, ${pickWord('Saint Anne|Riverside|Northgate|Charity', "'sa' || n")} || ' Hospital ' || n, ${pickWord('Spain|Poland|Italy|Belgium', "'sb' || n")}, case when ${pick("'sc' || n", 6)} > 0 then date '2021-01-01' + ${pick("'sd' || n", 1500)}::int end, 50 + ${pick("'se' || n", 800)}::int from generate_series(1, 30) n`,
  `insert into ctms."siteParticipation" select t, s, 500 + ${pick("'pa' || t || s", 400000)} / 100.0 from generate_series(1, 21) t, generate_series(1, 28) s where ${pick("'pb' || t || ' ' || s", 4)} = 0`,
  `insert into ctms."investigator" select n, 'Dr ' || ${pickWord('Alba|Bruno|Carmen|Dario', "'ia' || n")} || ' ' || n, ${pickWord('Cardiology|Neurology|Dermatology', "'ib' || n")}, 1 + ${pick("'ic' || n", 28)}::int, case when n > 10 then 1 + ${pick("'id' || n", 10)}::int end from generate_series(1, 70) n`,
  `insert into ctms."participant" select p.n, 'S' || p.n, 1 + ${pick("'qa' || p.n", 20)}::int, 1 + ${pick("'qb' || p.n", 27)}::int, ${pickWord('placebo|treatment|treatment', "'qc' || p.n")}, ${pickWord('female|male', "'qd' || p.n")}, date '1945-01-01' + ${pick("'qe' || p.n", 22000)}::int, p.day, case when ${pick("'qf' || p.n", 6)} = 0 then p.day + ${pick("'qg' || p.n", 60)}::int end, case when ${pick("'qf' || p.n", 6)} = 0 then ${pickWord('moved away|side effects|lost contact', "'qh' || p.n")} end, ${pick("'qi' || p.n", 20)} > 0 from (select n, date '2023-01-01' + ${pick("'qj' || n", 1060)}::int as day from generate_series(1, 1400) n) p`,
  `insert into ctms."visit" select v.n, 1 + ${pick("'va' || v.n", 1330)}::int, case when ${pick("'vb' || v.n", 9)} > 0 then 1 + ${pick("'vc' || v.n", 66)}::int end, ${pickWord('screening|baseline|follow-up|follow-up', "'vd' || v.n")}, v.day, case when v.day < date '2025-12-14' and ${pick("'ve' || v.n", 8)} > 0 then v.day + ${pick("'vf' || v.n", 1200)} * interval '1 minute' end, case when ${pick("'vg' || v.n", 5)} > 0 then 45 + ${pick("'vh' || v.n", 700)} / 10.0 end from (select n, date '2023-02-01' + ${pick("'vi' || n", 1090)}::int as day from generate_series(1, 5200) n) v`,
  `insert into ctms."adverseEvent" select e.n, 1 + ${pick("'ea' || e.n", 1200)}::int, ${pickWord('Headache|Nausea|Rash|Fatigue', "'eb' || e.n")}, ${pickWord('mild|mild|moderate|severe', "'ec' || e.n")}, ${pick("'ed' || e.n", 9)} = 0, e.day, case when ${pick("'ee' || e.n", 5)} > 0 then e.day + 1 + ${pick("'ef' || e.n", 40)}::int end from (select n, date '2023-03-01' + ${pick("'eg' || n", 1015)}::int as day from generate_series(1, 900) n) e`,
  `insert into ctms."labResult" select n, 1 + ${pick("'la' || n", 5000)}::int, ${pickWord('Glucose|Creatinine|ALT|Hemoglobin', "'lb' || n")}, case when ${pick("'lc' || n", 12)} > 0 then ${pick("'ld' || n", 20000)} / 100.0 end, ${pickWord('mg/dL|U/L', "'le' || n")}, ${pick("'lf' || n", 7)} = 0 from generate_series(1, 9000) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
const T = 'ctms."clinicalTrial"'
const S = 'ctms."trialSite"'
const P = 'ctms."participant"'
const V = 'ctms."visit"'
const E = 'ctms."adverseEvent"'
const L = 'ctms."labResult"'
const I = 'ctms."investigator"'

export const TRIALS_QUESTIONS = toQuestions([
  ['q', 'how many participants do we have', `select count(*) from ${P}`],
  [
    'q',
    'participants per trial',
    [
      `select "trialId", count(*) from ${P} group by 1`,
      `select "trialTitle", count(p."participantId") from ${T} t left join ${P} p using ("trialId") group by t."trialId", "trialTitle"`,
    ],
  ],
  [
    'q',
    'which trial has enrolled the most participants?',
    `select "trialId" from ${P} group by 1 order by count(*) desc limit 1`,
  ],
  ['q', 'trials in phase III', listOrCount('"trialId"', `${T} where phase = 'III'`)],
  ['q', 'how many trials are still recruiting', `select count(*) from ${T} where "trialStatus" = 'recruiting'`],
  ['q', 'trials by sponsor and phase', `select sponsor, phase, count(*) from ${T} group by 1, 2`],
  ['q', 'average target enrolment per phase', `select phase, avg("targetEnrolment") from ${T} group by 1`],
  [
    'q',
    'who withdrew because of side effects?',
    listOrCount('"participantId"', `${P} where "withdrawalReason" = 'side effects'`),
  ],
  [
    'q',
    'withdrawals per reason',
    `select "withdrawalReason", count(*) from ${P} where "withdrawnOn" is not null group by 1`,
  ],
  [
    'q',
    'number of participants that withdrew this year',
    `select count(*) from ${P} where "withdrawnOn" >= '2025-01-01' and "withdrawnOn" < '2026-01-01'`,
  ],
  ['q', 'what share of participants withdrew', shares('"withdrawnOn" is not null', P)],
  ['q', 'participants who did not sign consent', listOrCount('"participantId"', `${P} where not "consentSigned"`)],
  [
    'q',
    'female participants on placebo',
    listOrCount('"participantId"', `${P} where sex = 'female' and arm = 'placebo'`),
  ],
  ['q', 'particpants by arm', `select arm, count(*) from ${P} group by 1`],
  [
    'q',
    'enrolments per month in 2025',
    `select ${month('"enrolledOn"')}, count(*) from ${P} where "enrolledOn" >= '2025-01-01' group by 1`,
  ],
  [
    'q',
    'how many people enrolled in Spain last quarter',
    `select count(*) from ${P} join ${S} using ("siteId") where country = 'Spain' and "enrolledOn" >= '2025-07-01' and "enrolledOn" < '2025-10-01'`,
  ],
  ['q', 'participants older than 65', listOrCount('"participantId"', `${P} where "birthDate" < '1960-12-15'`)],
  ['q', 'sites by country', `select country, count(*) from ${S} group by 1`],
  ['q', 'sites that were never activated', listOrCount('"siteId"', `${S} where "activatedOn" is null`)],
  [
    'q',
    'sites without participants',
    listOrCount('"siteId"', `${S} s where not exists (select from ${P} p where p."siteId" = s."siteId")`),
  ],
  [
    'q',
    'trials with no sites',
    listOrCount(
      '"trialId"',
      `${T} t where not exists (select from ctms."siteParticipation" p where p."trialId" = t."trialId")`,
    ),
  ],
  ['q', 'top 5 sites by number of participants', `select "siteId" from ${P} group by 1 order by count(*) desc limit 5`],
  [
    'q',
    'sites with more than 60 participants',
    [
      `select "siteId" from ${P} group by 1 having count(*) > 60`,
      `select count(*) from (select "siteId" from ${P} group by 1 having count(*) > 60) x`,
    ],
  ],
  [
    'q',
    'total monthly fee by country',
    `select country, sum("monthlyFee") from ctms."siteParticipation" join ${S} using ("siteId") group by 1`,
  ],
  [
    'q',
    'what do we pay per month for trial CT-105',
    [`select sum("monthlyFee") from ctms."siteParticipation" join ${T} using ("trialId") where "trialCode" = 'CT-105'`],
  ],
  ['q', 'biggest site by beds', `select "siteId" from ${S} order by "bedCount" desc limit 1`],
  ['q', 'investigators per speciality', `select speciality, count(*) from ${I} group by 1`],
  ['q', 'investigators with no supervisor', listOrCount('"investigatorId"', `${I} where "supervisorId" is null`)],
  [
    'q',
    'which investigator did the most visits',
    `select "investigatorId" from ${V} where "investigatorId" is not null group by 1 order by count(*) desc, 1 limit 1`,
  ],
  [
    'q',
    'investigators who have never done a visit',
    listOrCount(
      '"investigatorId"',
      `${I} i where not exists (select from ${V} v where v."investigatorId" = i."investigatorId")`,
    ),
  ],
  ['q', 'visits by type', `select "visitType", count(*) from ${V} group by 1`],
  ['q', 'visits that are not completed yet', listOrCount('"visitId"', `${V} where "completedAt" is null`)],
  [
    'q',
    'visits scheduled for next week',
    listOrCount('"visitId"', `${V} where "scheduledFor" >= '2025-12-22' and "scheduledFor" < '2025-12-29'`),
  ],
  [
    'q',
    'visits completed in November 2025',
    listOrCount('"visitId"', `${V} where "completedAt" >= '2025-11-01' and "completedAt" < '2025-12-01'`),
  ],
  [
    'q',
    'average visits per participant',
    [
      `select avg(n) from (select count(*) n from ${V} group by "participantId") x`,
      `select count(*)::numeric / (select count(*) from ${P}) from ${V}`,
    ],
  ],
  [
    'q',
    'average weight at screening by sex',
    `select sex, avg("weightKg") from ${V} join ${P} using ("participantId") where "visitType" = 'screening' group by 1`,
  ],
  ['q', 'median weight', `select percentile_cont(0.5) within group (order by "weightKg") from ${V}`],
  ['q', 'visits where weight is missing', listOrCount('"visitId"', `${V} where "weightKg" is null`)],
  ['q', 'adverse events by severity', `select severity, count(*) from ${E} group by 1`],
  [
    'q',
    'how many serious adverse events in 2025',
    `select count(*) from ${E} where "isSerious" and "onsetDate" >= '2025-01-01'`,
  ],
  ['q', 'most common adverse event', `select "eventTerm" from ${E} group by 1 order by count(*) desc limit 1`],
  [
    'q',
    'severe events that are not resolved',
    listOrCount('"eventId"', `${E} where severity = 'severe' and "resolvedDate" is null`),
  ],
  ['q', 'adverse events per arm', `select arm, count(*) from ${E} join ${P} using ("participantId") group by 1`],
  [
    'q',
    'serious events by trial',
    [`select "trialId", count(*) from ${E} join ${P} using ("participantId") where "isSerious" group by 1`],
  ],
  [
    'q',
    'participants with at least 3 adverse events',
    [
      `select "participantId" from ${E} group by 1 having count(*) >= 3`,
      `select count(*) from (select "participantId" from ${E} group by 1 having count(*) >= 3) x`,
    ],
  ],
  ['q', 'how long do adverse events last on average', [`select avg("resolvedDate" - "onsetDate") from ${E}`]],
  [
    'q',
    'participants without any adverse event',
    listOrCount(
      '"participantId"',
      `${P} p where not exists (select from ${E} e where e."participantId" = p."participantId")`,
    ),
  ],
  [
    'q',
    'adverse events 2024 vs 2025',
    `select date_trunc('year', "onsetDate")::date, count(*) from ${E} where "onsetDate" >= '2024-01-01' and "onsetDate" < '2026-01-01' group by 1`,
  ],
  ['q', 'percentage of lab results out of range', shares('"outOfRange"', L)],
  ['q', 'avg glucose', [`select avg("resultValue") from ${L} where analyte = 'Glucose'`]],
  ['q', 'lab results out of range by analyte', `select analyte, count(*) from ${L} where "outOfRange" group by 1`],
  ['q', 'distinct analytes', [`select distinct analyte from ${L}`, `select count(distinct analyte) from ${L}`]],
  [
    'q',
    'highest ALT value ever measured',
    [
      `select max("resultValue") from ${L} where analyte = 'ALT'`,
      `select "resultId" from ${L} where analyte = 'ALT' and "resultValue" is not null order by "resultValue" desc limit 1`,
    ],
  ],
  [
    'q',
    'trials that ended between 1 June and 31 August 2025',
    listOrCount('"trialId"', `${T} where "endDate" between '2025-06-01' and '2025-08-31'`),
  ],
  ['q', 'trials not sponsored by Novara', listOrCount('"trialId"', `${T} where sponsor <> 'Novara'`)],
  ['q', 'countries with fewer than 8 sites', [`select country from ${S} group by 1 having count(*) < 8`]],
])
