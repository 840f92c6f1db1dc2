import { byEither, listOrCount, month, shares } from '../expected.ts'
import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

/** Camel case, text keys, no foreign keys, several dates and owners per record. */
export const CRM_STATEMENTS: readonly string[] = [
  `create table sales_crm."User" ("Id" text primary key, "FullName" text not null, "Department" text not null, "IsActive" boolean not null, "ManagerId" text)`,
  `create table sales_crm."Account" ("Id" text primary key, "Name" text not null, "Industry" text, "BillingCountry" text not null, "AnnualRevenue" numeric(14,2), "NumberOfEmployees" int, "OwnerId" text not null, "CreatedDate" timestamp not null, "LastActivityDate" date, "IsDeleted" boolean not null)`,
  `create table sales_crm."Contact" ("Id" text primary key, "AccountId" text, "FirstName" text not null, "LastName" text not null, "Email" text, "Title" text not null, "HasOptedOutOfEmail" boolean not null, "CreatedDate" timestamp not null)`,
  `create table sales_crm."Opportunity" ("Id" text primary key, "AccountId" text not null, "OwnerId" text not null, "Name" text not null, "StageName" text not null, "Amount" numeric(12,2), "Probability" int not null, "CloseDate" date not null, "CreatedDate" timestamp not null, "LeadSource" text, "IsWon" boolean not null, "IsClosed" boolean not null)`,
  `create table sales_crm."OpportunityLineItem" ("Id" text primary key, "OpportunityId" text not null, "Product2Id" text not null, "Quantity" int not null, "UnitPrice" numeric(10,2) not null, "TotalPrice" numeric(12,2) not null)`,
  `create table sales_crm."Product2" ("Id" text primary key, "Name" text not null, "Family" text not null, "IsActive" boolean not null)`,
  `create table sales_crm."Case" ("Id" text primary key, "CaseNumber" int not null, "AccountId" text, "ContactId" text, "Subject" text not null, "Status" text not null, "Priority" text not null, "Origin" text not null, "CreatedDate" timestamp not null, "ClosedDate" timestamp)`,
  `create table sales_crm."Lead" ("Id" text primary key, "Company" text not null, "Status" text not null, "LeadSource" text not null, "CreatedDate" timestamp not null, "ConvertedDate" date, "ConvertedAccountId" text)`,
  `insert into sales_crm."User" select '005' || n, ${pickWord('Ida|Joe|Kim|Lea', "'ua' || n")} || ' ' || n, ${pickWord('Sales|Support|Marketing', "'ub' || n")}, ${pick("'uc' || n", 7)} > 0, case when n > 3 then '005' || (1 + n % 3) end from generate_series(1, 24) n`,
  `insert into sales_crm."Account" select '001' || n, 'Company ' || n, case when ${pick("'aa' || n", 8)} > 0 then ${pickWord('Retail|Banking|Energy|Media', "'ab' || n")} end, ${pickWord('Germany|France|Italy|Spain', "'ac' || n")}, case when ${pick("'ad' || n", 5)} > 0 then 100000 + 1000 * ${pick("'ae' || n", 90000)} end, case when ${pick("'af' || n", 6)} > 0 then 5 + ${pick("'ag' || n", 4000)}::int end, '005' || (1 + ${pick("'ah' || n", 20)}), timestamp '2021-02-01 09:00' + ${pick("'ai' || n", 40000)} * interval '1 hour', case when ${pick("'aj' || n", 4)} > 0 then date '2025-01-01' + ${pick("'ak' || n", 345)}::int end, ${pick("'al' || n", 25)} = 0 from generate_series(1, 410) n`,
  `insert into sales_crm."Contact" select '003' || n, case when ${pick("'ca' || n", 15)} > 0 then '001' || (1 + ${pick("'cb' || n", 370)}) end, ${pickWord('Max|Nora|Otto|Pia', "'cc' || n")}, ${pickWord('Fox|Gray|Hill', "'cd' || n")} || n, case when ${pick("'ce' || n", 5)} > 0 then 'c' || n || '@example.org' end, ${pickWord('CEO|CFO|Buyer|Engineer', "'cf' || n")}, ${pick("'cg' || n", 6)} = 0, timestamp '2022-01-01 10:00' + ${pick("'ch' || n", 34000)} * interval '1 hour' from generate_series(1, 900) n`,
  `insert into sales_crm."Product2" select '01t' || n, ${pickWord('Suite|Basic|Cloud|Edge', "'pa' || n")} || ' ' || n, ${pickWord('Software|Hardware|Services', "'pb' || n")}, ${pick("'pc' || n", 6)} > 0 from generate_series(1, 40) n`,
  `insert into sales_crm."Opportunity" select '006' || n, '001' || (1 + ${pick("'oa' || n", 350)}), '005' || (1 + ${pick("'ob' || n", 18)}), 'Deal ' || n, stage, 0, case stage when 'Closed Won' then 100 when 'Closed Lost' then 0 else 10 * (1 + ${pick("'oc' || n", 8)}::int) end, at::date + 20 + ${pick("'od' || n", 150)}::int, at, case when ${pick("'oe' || n", 7)} > 0 then ${pickWord('Web|Referral|Trade Show', "'of' || n")} end, stage = 'Closed Won', stage like 'Closed%' from (select n, timestamp '2023-01-03 08:00' + ${pick("'og' || n", 24500)} * interval '1 hour' as at, ${pickWord('Prospecting|Qualification|Proposal|Closed Won|Closed Lost', "'oh' || n")} as stage from generate_series(1, 1300) n) x`,
  `insert into sales_crm."OpportunityLineItem" select '00k' || o || '-' || l, '006' || o, '01t' || (1 + ${pick("'la' || o || '-' || l", 36)}), q, p, q * p from (select o, l, 1 + ${pick("'lb' || o || '-' || l", 20)}::int as q, 50 + ${pick("'lc' || o || '-' || l", 90000)} / 100.0 as p from generate_series(1, 1300) o, generate_series(1, 2) l where ${pick("'ld' || o || '-' || l", 3)} > 0) x`,
  `update sales_crm."Opportunity" o set "Amount" = (select sum("TotalPrice") * 0.95 from sales_crm."OpportunityLineItem" l where l."OpportunityId" = o."Id")`,
  `insert into sales_crm."Case" select '500' || n, 1000 + n, case when ${pick("'ka' || n", 12)} > 0 then '001' || (1 + ${pick("'kb' || n", 380)}) end, '003' || (1 + ${pick("'kc' || n", 850)}), ${pickWord('Login fails|Invoice wrong|Slow page|Question', "'kd' || n")}, case when done then 'Closed' else ${pickWord('New|Working|Escalated', "'ke' || n")} end, ${pickWord('Low|Medium|High', "'kf' || n")}, ${pickWord('Phone|Email|Web', "'kg' || n")}, at, case when done then at + (1 + ${pick("'kh' || n", 300)}) * interval '1 hour' end from (select n, timestamp '2024-01-02 07:00' + ${pick("'ki' || n", 16500)} * interval '1 hour' as at, ${pick("'kj' || n", 4)} > 0 as done from generate_series(1, 1700) n) x`,
  `insert into sales_crm."Lead" select '00Q' || n, 'Prospect ' || n, case when conv then 'Converted' else ${pickWord('Open|Contacted|Unqualified', "'qa' || n")} end, ${pickWord('Web|Referral|Trade Show|Purchased List', "'qb' || n")}, at, case when conv then at::date + ${pick("'qc' || n", 40)}::int end, case when conv then '001' || (1 + ${pick("'qd' || n", 390)}) end from (select n, timestamp '2024-01-05 11:00' + ${pick("'qe' || n", 16000)} * interval '1 hour' as at, ${pick("'qf' || n", 4)} = 0 as conv from generate_series(1, 1100) n) x`,
]

const OPP = 'sales_crm."Opportunity"'
const ACC = 'sales_crm."Account"'
const LIVE = 'not a."IsDeleted"'
const CASES = 'sales_crm."Case"'
const LEAD = 'sales_crm."Lead"'

export const CRM_QUESTIONS = toQuestions([
  [
    'q',
    'how many accounts are there per industry',
    [
      `select "Industry", count(*) from ${ACC} a where ${LIVE} group by 1`,
      `select "Industry", count(*) from ${ACC} a where ${LIVE} and "Industry" is not null group by 1`,
    ],
  ],
  [
    'q',
    'accounts in Germany with more than 1000 employees',
    listOrCount('"Id"', `${ACC} a where ${LIVE} and "BillingCountry" = 'Germany' and "NumberOfEmployees" > 1000`),
  ],
  ['q', 'accounts without an industry', listOrCount('"Id"', `${ACC} a where ${LIVE} and "Industry" is null`)],
  [
    'q',
    'average annual revenue by country',
    `select "BillingCountry", avg("AnnualRevenue") from ${ACC} a where ${LIVE} group by 1`,
  ],
  [
    'q',
    'the 10 largest accounts by number of employees',
    `select "Id" from ${ACC} a where ${LIVE} and "NumberOfEmployees" is not null order by "NumberOfEmployees" desc limit 10`,
  ],
  ['q', 'deleted accounts', listOrCount('"Id"', `${ACC} where "IsDeleted"`)],
  [
    'q',
    'accounts with no activity this year',
    listOrCount('"Id"', `${ACC} a where ${LIVE} and ("LastActivityDate" is null or "LastActivityDate" < '2025-01-01')`),
  ],
  [
    'q',
    'accounts with no opportunities',
    listOrCount('"Id"', `${ACC} a where ${LIVE} and not exists (select from ${OPP} o where o."AccountId" = a."Id")`),
  ],
  ['q', 'contacts without an email address', listOrCount('"Id"', 'sales_crm."Contact" where "Email" is null')],
  ['q', 'how many contacts opted out of email', `select count(*) from sales_crm."Contact" where "HasOptedOutOfEmail"`],
  ['q', 'number of CEOs', `select count(*) from sales_crm."Contact" where "Title" = 'CEO'`],
  ['q', 'contacts not linked to any account', listOrCount('"Id"', 'sales_crm."Contact" where "AccountId" is null')],
  [
    'q',
    'contacts per account, top 5',
    byEither(
      ['"AccountId"', 'a."Name"'],
      (key) =>
        `select ${key}, count(*) from sales_crm."Contact" c join ${ACC} a on a."Id" = c."AccountId" where ${LIVE} group by 1 order by 2 desc, 1 limit 5`,
    ),
  ],
  ['q', 'total amount of opportunities by stage', `select "StageName", sum("Amount") from ${OPP} group by 1`],
  [
    'q',
    'won opportunities in 2025',
    listOrCount('"Id"', `${OPP} where "IsWon" and "CloseDate" >= '2025-01-01' and "CloseDate" < '2026-01-01'`),
  ],
  ['q', 'win rate', []],
  ['q', 'share of closed opportunities that were won', shares('"IsWon"', `${OPP} where "IsClosed"`)],
  [
    'q',
    'amount of won opportunities per month by close date',
    `select ${month('"CloseDate"')}, sum("Amount") from ${OPP} where "IsWon" group by 1`,
  ],
  [
    'q',
    'open opportunities closing this month',
    listOrCount('"Id"', `${OPP} where not "IsClosed" and "CloseDate" >= '2025-12-01' and "CloseDate" < '2026-01-01'`),
  ],
  ['q', 'biggest opportunity', `select "Id" from ${OPP} where "Amount" is not null order by "Amount" desc limit 1`],
  [
    'q',
    'opportunities by lead source',
    [
      `select "LeadSource", count(*) from ${OPP} group by 1`,
      `select "LeadSource", count(*) from ${OPP} where "LeadSource" is not null group by 1`,
    ],
  ],
  [
    'q',
    'amount won by owner',
    byEither(
      ['"OwnerId"', 'u."FullName"'],
      (key) =>
        `select ${key}, sum("Amount") from ${OPP} o join sales_crm."User" u on u."Id" = o."OwnerId" where "IsWon" group by 1`,
    ),
  ],
  ['q', 'average probability of open opportunities', `select avg("Probability") from ${OPP} where not "IsClosed"`],
  ['q', 'opportunities without an amount', listOrCount('"Id"', `${OPP} where "Amount" is null`)],
  [
    'q',
    'opportunities created in October 2025',
    listOrCount('"Id"', `${OPP} where "CreatedDate" >= '2025-10-01' and "CreatedDate" < '2025-11-01'`),
  ],
  [
    'q',
    'amount of opportunities by industry of the account',
    [
      `select "Industry", sum("Amount") from ${OPP} o join ${ACC} a on a."Id" = o."AccountId" where ${LIVE} group by 1`,
      `select "Industry", sum("Amount") from ${OPP} o join ${ACC} a on a."Id" = o."AccountId" where ${LIVE} and "Industry" is not null group by 1`,
      `select "Industry", sum("Amount") from ${OPP} o join ${ACC} a on a."Id" = o."AccountId" group by 1`,
    ],
  ],
  [
    'q',
    'revenue by product family',
    [
      `select "Family", sum("TotalPrice") from sales_crm."OpportunityLineItem" l join sales_crm."Product2" p on p."Id" = l."Product2Id" group by 1`,
    ],
  ],
  ['q', 'quantity sold per product', []],
  [
    'q',
    'products never sold',
    [
      ...listOrCount(
        '"Id"',
        `sales_crm."Product2" p where not exists (select from sales_crm."OpportunityLineItem" l where l."Product2Id" = p."Id")`,
      ),
    ],
  ],
  ['q', 'inactive products', listOrCount('"Id"', 'sales_crm."Product2" where not "IsActive"')],
  ['q', 'cases by priority', `select "Priority", count(*) from ${CASES} group by 1`],
  ['q', 'open high priority cases', listOrCount('"Id"', `${CASES} where "Priority" = 'High' and "ClosedDate" is null`)],
  ['q', 'escalated cases by origin', `select "Origin", count(*) from ${CASES} where "Status" = 'Escalated' group by 1`],
  [
    'q',
    'average time to close a case in hours',
    `select avg(extract(epoch from "ClosedDate" - "CreatedDate")) / 3600 from ${CASES}`,
  ],
  [
    'q',
    'cases opened per month this year',
    `select ${month('"CreatedDate"')}, count(*) from ${CASES} where "CreatedDate" >= '2025-01-01' group by 1`,
  ],
  [
    'q',
    'which account has the most cases',
    byEither(['"AccountId"', 'a."Name"'], (key) =>
      `select ${key} from ${CASES} c join ${ACC} a on a."Id" = c."AccountId" where ${LIVE} group by 1 order by count(*) desc, "AccountId" limit 1`.replace(
        'group by 1',
        'group by 1, "AccountId"',
      ),
    ),
  ],
  [
    'q',
    'cases closed yesterday',
    listOrCount('"Id"', `${CASES} where "ClosedDate" >= '2025-12-14' and "ClosedDate" < '2025-12-15'`),
  ],
  ['q', 'leads by source', `select "LeadSource", count(*) from ${LEAD} group by 1`],
  ['q', 'what percentage of leads were converted', shares('"ConvertedDate" is not null', LEAD)],
  [
    'q',
    'average days from lead creation to conversion',
    [
      `select avg("ConvertedDate" - "CreatedDate"::date) from ${LEAD}`,
      `select avg(extract(epoch from "ConvertedDate" - "CreatedDate")) / 86400 from ${LEAD}`,
    ],
  ],
  [
    'q',
    'unqualified leads from trade shows',
    listOrCount('"Id"', `${LEAD} where "Status" = 'Unqualified' and "LeadSource" = 'Trade Show'`),
  ],
  ['q', 'inactive users', listOrCount('"Id"', 'sales_crm."User" where not "IsActive"')],
  ['q', 'users per department', 'select "Department", count(*) from sales_crm."User" group by 1'],
  ['q', 'users without a manager', listOrCount('"Id"', 'sales_crm."User" where "ManagerId" is null')],
  ['q', 'churned customers', []],
  ['q', 'customer satisfaction by country', []],
])
