import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const LAWFIRM_STATEMENTS: readonly string[] = [
  `create table firm.clients (client_id int primary key, client_name text not null, industry text not null, country text not null, onboarded_on date not null, is_vip boolean not null)`,
  `create table firm.lawyers (lawyer_id int primary key, lawyer_name text not null, grade text not null, practice text not null, hourly_rate numeric(6,2) not null, hired_on date not null, left_on date)`,
  `create table firm.matters (matter_id int primary key, matter_name text not null, client_id int not null references firm.clients, lead_lawyer_id int references firm.lawyers, matter_type text not null, status text not null, opened_on date not null, closed_on date, fee_cap numeric(10,2))`,
  `create table firm.time_entries (entry_id int primary key, matter_id int not null references firm.matters, lawyer_id int not null references firm.lawyers, work_date date not null, hours numeric(4,1) not null, rate numeric(6,2) not null, is_billable boolean not null, narrative text)`,
  `create table firm.invoices (invoice_no int primary key, matter_id int not null references firm.matters, issued_on date not null, due_on date not null, paid_on date, net_amount numeric(10,2) not null, vat_amount numeric(10,2) not null, invoice_status text not null)`,
  `create table firm.hearings (hearing_id int primary key, matter_id int not null references firm.matters, court text not null, held_at timestamp not null, outcome text)`,
  `create table firm.expenses (expense_id int primary key, matter_id int not null references firm.matters, lawyer_id int references firm.lawyers, spent_on date not null, expense_type text not null, cost numeric(8,2) not null, reimbursed boolean not null)`,
  `insert into firm.clients select n, ${pickWord('Alder|Birch|Cedar|Elm', "'ca' || n")} || ' ' || ${pickWord('Group|Holdings|Labs|Foods', "'cb' || n")} || ' ' || n, ${pickWord('Energy|Retail|Pharma|Banking', "'cc' || n")}, ${pickWord('Austria|Germany|Poland|Italy', "'cd' || n")}, date '2012-01-01' + ${pick("'ce' || n", 5000)}::int, ${pick("'cf' || n", 8)} = 0 from generate_series(1, 140) n`,
  `insert into firm.lawyers select n, ${pickWord('Greta|Hugo|Irma|Jakob', "'la' || n")} || ' ' || n, ${pickWord('Partner|Associate|Associate|Counsel|Trainee', "'lb' || n")}, ${pickWord('Tax|Litigation|Corporate|Labour', "'lc' || n")}, 120 + ${pick("'ld' || n", 400)}, date '2005-01-01' + ${pick("'le' || n", 7300)}::int, case when ${pick("'lf' || n", 7)} = 0 then date '2025-01-15' + ${pick("'lg' || n", 300)}::int end from generate_series(1, 60) n`,
  `insert into firm.matters select m.n, ${pickWord('Merger|Dispute|Audit|Review', "'ma' || m.n")} || ' ' || m.n, 1 + ${pick("'mb' || m.n", 130)}::int, case when ${pick("'mc' || m.n", 10)} > 0 then 1 + ${pick("'md' || m.n", 55)}::int end, ${pickWord('Advisory|Litigation|Transaction', "'me' || m.n")}, ${pickWord('active|active|closed|on hold', "'mf' || m.n")}, m.day, case when ${pick("'mg' || m.n", 3)} = 0 then m.day + 100 + ${pick("'mh' || m.n", 300)}::int end, case when ${pick("'mi' || m.n", 4)} = 0 then 5000 + ${pick("'mj' || m.n", 95000)} end from (select n, date '2021-01-01' + ${pick("'mk' || n", 1790)}::int as day from generate_series(1, 520) n) m`,
  `insert into firm.time_entries select n, 1 + ${pick("'ta' || n", 500)}::int, 1 + ${pick("'tb' || n", 58)}::int, date '2023-01-01' + ${pick("'tc' || n", 1079)}::int, 0.5 + ${pick("'td' || n", 90)} / 10.0, 120 + ${pick("'te' || n", 400)}, ${pick("'tf' || n", 5)} > 0, case when ${pick("'tg' || n", 6)} > 0 then 'work ' || n end from generate_series(1, 9000) n`,
  `insert into firm.invoices select i.n, 1 + ${pick("'ia' || i.n", 490)}::int, i.day, i.day + 30, case when ${pick("'ib' || i.n", 4)} > 0 then i.day + ${pick("'ic' || i.n", 70)}::int end, 200 + ${pick("'id' || i.n", 3000000)} / 100.0, 40 + ${pick("'ie' || i.n", 600000)} / 100.0, ${pickWord('draft|sent|sent|paid|paid|written off', "'if' || i.n")} from (select n, date '2023-01-10' + ${pick("'ig' || n", 1060)}::int as day from generate_series(1, 1300) n) i`,
  `insert into firm.hearings select n, 1 + ${pick("'ha' || n", 480)}::int, ${pickWord('District Court|High Court|Labour Court', "'hb' || n")}, timestamp '2023-02-01 09:00' + ${pick("'hc' || n", 1100)} * interval '1 day', case when ${pick("'hd' || n", 3)} > 0 then ${pickWord('won|lost|settled|adjourned', "'he' || n")} end from generate_series(1, 380) n`,
  `insert into firm.expenses select n, 1 + ${pick("'ea' || n", 500)}::int, case when ${pick("'eb' || n", 9)} > 0 then 1 + ${pick("'ec' || n", 58)}::int end, date '2023-01-05' + ${pick("'ed' || n", 1070)}::int, ${pickWord('Travel|Court fees|Expert|Courier', "'ee' || n")}, 5 + ${pick("'ef' || n", 200000)} / 100.0, ${pick("'eg' || n", 3)} > 0 from generate_series(1, 1500) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
const BILLED = 'firm.invoices join firm.matters using (matter_id) join firm.clients using (client_id)'

export const LAWFIRM_QUESTIONS = toQuestions([
  ['q', 'How many active matters do we have?', "select count(*) from firm.matters where status = 'active'"],
  ['q', 'matters by type', 'select matter_type, count(*) from firm.matters group by 1'],
  ['q', 'matters opened this year', listOrCount('matter_id', "firm.matters where opened_on >= '2025-01-01'")],
  [
    'q',
    'matters closed in 2024',
    listOrCount('matter_id', "firm.matters where closed_on >= '2024-01-01' and closed_on < '2025-01-01'"),
  ],
  ['q', 'matters on hold', listOrCount('matter_id', "firm.matters where status = 'on hold'")],
  ['q', 'matters without a lead lawyer', listOrCount('matter_id', 'firm.matters where lead_lawyer_id is null')],
  ['q', 'matters with no fee cap', listOrCount('matter_id', 'firm.matters where fee_cap is null')],
  ['q', 'number of matters per client', ['select client_id, count(*) from firm.matters group by 1']],
  ['q', 'clients with more than 6 matters', ['select client_id from firm.matters group by 1 having count(*) > 6']],
  [
    'q',
    'clients without any matter',
    listOrCount(
      'client_id',
      'firm.clients c where not exists (select from firm.matters m where m.client_id = c.client_id)',
    ),
  ],
  ['q', 'VIP clients by industry', 'select industry, count(*) from firm.clients where is_vip group by 1'],
  ['q', 'how many clients are in Poland', "select count(*) from firm.clients where country = 'Poland'"],
  ['q', 'how many German clients do we have', "select count(*) from firm.clients where country = 'Germany'"],
  ['q', 'newest client', 'select client_id from firm.clients order by onboarded_on desc limit 1'],
  ['q', 'lawyers by grade', 'select grade, count(*) from firm.lawyers group by 1'],
  [
    'q',
    'partners in the tax practice',
    listOrCount('lawyer_id', "firm.lawyers where grade = 'Partner' and practice = 'Tax'"),
  ],
  ['q', 'average hourly rate by grade', 'select grade, avg(hourly_rate) from firm.lawyers group by 1'],
  ['q', 'who has the highest hourly rate?', 'select lawyer_name from firm.lawyers order by hourly_rate desc limit 1'],
  [
    'q',
    'lawyers who left this year',
    listOrCount('lawyer_id', "firm.lawyers where left_on >= '2025-01-01' and left_on < '2026-01-01'"),
  ],
  [
    'q',
    'total hours in November',
    "select sum(hours) from firm.time_entries where work_date >= '2025-11-01' and work_date < '2025-12-01'",
  ],
  [
    'q',
    'billable hours per month this year',
    `select ${month('work_date')}, sum(hours) from firm.time_entries where is_billable and work_date >= '2025-01-01' group by 1`,
  ],
  [
    'q',
    'hours by lawyer',
    [
      'select lawyer_name, sum(hours) from firm.time_entries join firm.lawyers using (lawyer_id) group by lawyer_id, lawyer_name',
    ],
  ],
  [
    'q',
    'top 5 lawyers by billable hours',
    ['select lawyer_id from firm.time_entries where is_billable group by 1 order by sum(hours) desc limit 5'],
  ],
  [
    'q',
    'hours by practice',
    'select practice, sum(hours) from firm.time_entries join firm.lawyers using (lawyer_id) group by 1',
  ],
  [
    'q',
    'hours worked for each client',
    ['select client_id, sum(hours) from firm.time_entries join firm.matters using (matter_id) group by 1'],
  ],
  [
    'q',
    'what percentage of hours is billable?',
    [
      'select 100.0 * sum(hours) filter (where is_billable) / sum(hours) from firm.time_entries',
      'select 1.0 * sum(hours) filter (where is_billable) / sum(hours) from firm.time_entries',
    ],
  ],
  ['q', 'non-billable time entries', listOrCount('entry_id', 'firm.time_entries where not is_billable')],
  ['q', 'time entries without a narrative', listOrCount('entry_id', 'firm.time_entries where narrative is null')],
  ['q', 'time entries longer than 8 hours', listOrCount('entry_id', 'firm.time_entries where hours > 8')],
  [
    'q',
    'how much did we invoice in 2025?',
    [
      "select sum(net_amount) from firm.invoices where issued_on >= '2025-01-01'",
      "select sum(net_amount + vat_amount) from firm.invoices where issued_on >= '2025-01-01'",
    ],
  ],
  ['q', 'net amount invoiced by client industry', [`select industry, sum(net_amount) from ${BILLED} group by 1`]],
  ['q', 'invoices by status', ['select invoice_status, count(*) from firm.invoices group by 1']],
  [
    'q',
    'unpaid invoices',
    [
      'select invoice_no from firm.invoices where paid_on is null',
      'select count(*) from firm.invoices where paid_on is null',
    ],
  ],
  ['q', 'overdue invoices', []],
  [
    'q',
    'invoices that were written off',
    listOrCount('invoice_no', "firm.invoices where invoice_status = 'written off'"),
  ],
  ['q', 'invoices over 20000', listOrCount('invoice_no', 'firm.invoices where net_amount > 20000')],
  ['q', 'average invoice', ['select avg(net_amount) from firm.invoices']],
  [
    'q',
    'total vat by year',
    "select date_trunc('year', issued_on)::date, sum(vat_amount) from firm.invoices group by 1",
  ],
  ['q', 'which client paid us the most', []],
  [
    'q',
    'top 3 clients by net amount',
    [`select client_id from ${BILLED} group by 1 order by sum(net_amount) desc limit 3`],
  ],
  ['q', 'average days to payment', ['select avg(paid_on - issued_on) from firm.invoices']],
  ['q', 'hearings per court', 'select court, count(*) from firm.hearings group by 1'],
  [
    'q',
    'hearings next month',
    listOrCount('hearing_id', "firm.hearings where held_at >= '2026-01-01' and held_at < '2026-02-01'"),
  ],
  ['q', 'how many cases did we win', ["select count(*) from firm.hearings where outcome = 'won'"]],
  ['q', 'win rate by court', []],
  ['q', 'hearings without an outcome', listOrCount('hearing_id', 'firm.hearings where outcome is null')],
  [
    'q',
    'expenses by type',
    [
      'select expense_type, sum(cost) from firm.expenses group by 1',
      'select expense_type, count(*) from firm.expenses group by 1',
    ],
  ],
  [
    'q',
    'how much did we spend on travel last year',
    "select sum(cost) from firm.expenses where expense_type = 'Travel' and spent_on >= '2024-01-01' and spent_on < '2025-01-01'",
  ],
  ['q', 'expenses not yet reimbursed', listOrCount('expense_id', 'firm.expenses where not reimbursed')],
  [
    'q',
    'most expensive courier expense',
    ["select expense_id from firm.expenses where expense_type = 'Courier' order by cost desc limit 1"],
  ],
  [
    'q',
    'matters where nobody logged time',
    listOrCount(
      'matter_id',
      'firm.matters m where not exists (select from firm.time_entries t where t.matter_id = m.matter_id)',
    ),
  ],
  ['q', 'share of invoices that are drafts', shares("invoice_status = 'draft'", 'firm.invoices')],
  ['q', 'profit per matter', []],
  ['q', 'utilisation by lawyer', []],
  [
    'q',
    'active matters of VIP clients',
    listOrCount('matter_id', "firm.matters join firm.clients using (client_id) where status = 'active' and is_vip"),
  ],
])
