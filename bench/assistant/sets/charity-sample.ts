import { pickWord, pick } from './sample-values.ts'

/** Upper case names, letter codes, numeric flags, pledged and received amounts, no declared foreign keys. */
export const CHARITY_SCHEMA = 'crm'

export const CHARITY_STATEMENTS: readonly string[] = [
  `create table crm."Donors" ("DonorID" int primary key, "DonorName" text not null, "DonorType" text not null, "Town" text not null, "EmailAddr" text,
     "FirstGiftDate" date not null, "GiftAid" int not null, "IsDeleted" int not null)`,
  `create table crm."Appeals" ("AppealCode" text primary key, "AppealTitle" text not null, "StartDate" date not null, "EndDate" date, "TargetAmt" numeric(10,2) not null, "Owner" text not null)`,
  `create table crm."Gifts" ("GiftID" int primary key, "DonorID" int not null, "AppealCode" text, "PledgedOn" date not null, "ReceivedOn" date, "GiftAmt" numeric(10,2) not null,
     "PayMethod" text not null, "IsRecurring" boolean not null, "ThankedDate" date)`,
  `create table crm."Volunteers" ("VolID" int primary key, "FullName" text not null, "Town" text not null, "JoinedDate" date not null, "VolStatus" text not null, "DBSChecked" boolean not null)`,
  `create table crm."Projects" ("ProjID" int primary key, "ProjName" text not null, "Country" text not null, "BudgetAmt" numeric(12,2) not null, "SpentAmt" numeric(12,2) not null, "Status" text not null)`,
  `create table crm."VolShifts" ("VolID" int not null, "ProjID" int not null, "ShiftDate" date not null, "HoursWorked" numeric(4,1) not null)`,
  `create table crm."Grants" ("GrantNo" int primary key, "ProjID" int not null, "Funder" text not null, "AwardedAmt" numeric(12,2) not null, "AppliedOn" date not null, "DecidedOn" date, "Outcome" text not null)`,
  `insert into crm."Donors" select n, ${pickWord('Ash|Birch|Cedar|Elm|Hazel|Oak|Pine', "'dn' || n")} || ' ' || n, ${pickWord('individual|individual|individual|company|trust', "'dt' || n")}, ${pickWord('Leeds|York|Hull|Bath|Truro', "'dw' || n")},
     case when ${pick("'de' || n", 5)} > 0 then 'd' || n || '@example.test' end, date '2019-01-01' + ${pick("'df' || n", 2500)}::int, (${pick("'dg' || n", 3)} > 0)::int, (${pick("'dx' || n", 13)} = 0)::int from generate_series(1, 700) n`,
  `insert into crm."Appeals" values ('XM24', 'Winter Shelter 2024', '2024-11-01', '2025-01-15', 80000, 'Priya'), ('SP25', 'Spring Meals', '2025-03-01', '2025-05-31', 40000, 'Tom'), ('WAT', 'Clean Water', '2024-02-01', null, 150000, 'Priya'),
     ('XM25', 'Winter Shelter 2025', '2025-11-01', null, 90000, 'Lena'), ('LEG', 'Legacy Fund', '2023-01-01', null, 500000, 'Tom')`,
  `insert into crm."Gifts" select g.n, 1 + ${pick("'gd' || g.n", 640)}::int, case when ${pick("'ga' || g.n", 6)} > 0 then ${pickWord('XM24|SP25|WAT|XM25', "'gc' || g.n")} end, g.day,
     case when ${pick("'gr' || g.n", 9)} > 0 then g.day + ${pick("'gs' || g.n", 25)}::int end, 5 + ${pick("'gm' || g.n", 60000)} / 100.0, ${pickWord('card|card|direct debit|cheque|cash', "'gp' || g.n")}, ${pick("'gq' || g.n", 3)} = 0,
     case when ${pick("'gt' || g.n", 3)} > 0 then g.day + 30 end from (select n, date '2024-01-01' + ${pick("'gy' || n", 700)}::int as day from generate_series(1, 3600) n) g`,
  `insert into crm."Volunteers" select n, ${pickWord('Amir|Beth|Cara|Dan|Esme|Finn', "'vn' || n")} || ' ' || ${pickWord('Hughes|Iqbal|Jones|Khan', "'vl' || n")} || ' ' || n, ${pickWord('Leeds|York|Hull|Bath', "'vt' || n")}, date '2020-01-01' + ${pick("'vj' || n", 2100)}::int,
     ${pickWord('ACT|ACT|ACT|INACT|SUSP', "'vs' || n")}, ${pick("'vd' || n", 4)} > 0 from generate_series(1, 160) n`,
  `insert into crm."Projects" values (1, 'Night Shelter', 'UK', 120000, 90500, 'running'), (2, 'School Meals', 'Kenya', 80000, 79000, 'finished'), (3, 'Wells', 'Kenya', 200000, 61000, 'running'), (4, 'Mobile Clinic', 'Nepal', 150000, 0, 'planned'), (5, 'Food Bank', 'UK', 60000, 58500, 'running'), (6, 'Seeds', 'Peru', 30000, 31000, 'finished')`,
  `insert into crm."VolShifts" select 1 + ${pick("'sv' || n", 140)}::int, 1 + ${pick("'sp' || n", 3)}::int, date '2024-06-01' + ${pick("'sd' || n", 560)}::int, 1 + ${pick("'sh' || n", 14)} / 2.0 from generate_series(1, 2100) n`,
  `insert into crm."Grants" select n, 1 + ${pick("'rp' || n", 6)}::int, ${pickWord('City Council|Lottery Fund|Hart Trust|Blue Foundation', "'rf' || n")}, 1000 + ${pick("'ra' || n", 40000)}, date '2023-06-01' + ${pick("'rd' || n", 800)}::int,
     case when ${pick("'rx' || n", 4)} > 0 then date '2025-09-01' + ${pick("'ry' || n", 90)}::int end, ${pickWord('awarded|awarded|declined|waiting', "'ro' || n")} from generate_series(1, 90) n`,
]
