import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const BANK_STATEMENTS: readonly string[] = [
  `create table bank.branches (branch_id int primary key, branch_name text not null, city text not null, opened_on date not null, staff_count int not null)`,
  `create table bank.customers (customer_id int primary key, first_name text not null, last_name text not null, birth_date date not null, segment text not null, branch_id int not null references bank.branches, joined_on date not null, phone text, credit_score int)`,
  `create table bank.accounts (account_id int primary key, customer_id int not null references bank.customers, account_type text not null, currency text not null, balance numeric(12,2) not null, opened_on date not null, closed_on date, overdraft_limit numeric(10,2))`,
  `create table bank.transactions (transaction_id int primary key, account_id int not null references bank.accounts, booked_at timestamp not null, amount numeric(12,2) not null, direction text not null, channel text not null, merchant_category text)`,
  `create table bank.loans (loan_id int primary key, customer_id int not null references bank.customers, loan_type text not null, principal numeric(12,2) not null, interest_rate numeric(5,2) not null, granted_on date not null, term_months int not null, loan_state text not null)`,
  `create table bank.instalments (instalment_id int primary key, loan_id int not null references bank.loans, due_date date not null, amount_due numeric(10,2) not null, paid_date date)`,
  `create table bank.cards (card_id int primary key, account_id int not null references bank.accounts, card_brand text not null, is_blocked boolean not null, issued_on date not null, expires_on date not null)`,
  `insert into bank.branches select n, ${pickWord('Old Town|Harbour|Station|Park', "'ba' || n")} || ' ' || n, ${pickWord('Riga|Vilnius|Tallinn', "'bb' || n")}, date '1995-01-01' + ${pick("'bc' || n", 9000)}::int, 4 + ${pick("'bd' || n", 30)}::int from generate_series(1, 20) n`,
  `insert into bank.customers select n, ${pickWord('Asta|Boris|Dace|Egon', "'ca' || n")}, ${pickWord('Kalnins|Petraitis|Tamm|Ozols', "'cb' || n")} || n, date '1945-01-01' + ${pick("'cc' || n", 22000)}::int, ${pickWord('Retail|Retail|Premium|Business', "'cd' || n")}, 1 + ${pick("'ce' || n", 20)}::int, date '2008-01-01' + ${pick("'cf' || n", 6400)}::int, case when ${pick("'cg' || n", 6)} > 0 then '+371 ' || n end, case when ${pick("'ch' || n", 5)} > 0 then 300 + ${pick("'ci' || n", 550)}::int end from generate_series(1, 700) n`,
  `insert into bank.accounts select n, 1 + ${pick("'aa' || n", 660)}::int, ${pickWord('Checking|Checking|Savings|Deposit', "'ab' || n")}, ${pickWord('EUR|EUR|USD', "'ac' || n")}, ${pick("'ad' || n", 6000000)} / 100.0 - 2000, date '2010-01-01' + ${pick("'ae' || n", 5700)}::int, case when ${pick("'af' || n", 9)} = 0 then date '2024-02-01' + ${pick("'ag' || n", 650)}::int end, case when ${pick("'ah' || n", 3)} = 0 then 100 * (1 + ${pick("'ai' || n", 40)}::int) end from generate_series(1, 1000) n`,
  `insert into bank.transactions select n, 1 + ${pick("'ta' || n", 950)}::int, timestamp '2024-01-01' + ${pick("'tb' || n", 1028000)} * interval '1 minute', 1 + ${pick("'tc' || n", 150000)} / 100.0, ${pickWord('debit|debit|credit', "'td' || n")}, ${pickWord('card|online|atm|branch', "'te' || n")}, case when ${pick("'tf' || n", 3)} > 0 then ${pickWord('Groceries|Fuel|Travel|Restaurants', "'tg' || n")} end from generate_series(1, 11000) n`,
  `insert into bank.loans select n, 1 + ${pick("'la' || n", 640)}::int, ${pickWord('Mortgage|Car|Consumer', "'lb' || n")}, 1000 + ${pick("'lc' || n", 25000000)} / 100.0, 1 + ${pick("'ld' || n", 900)} / 100.0, date '2016-01-01' + ${pick("'le' || n", 3600)}::int, 12 * (1 + ${pick("'lf' || n", 25)}::int), ${pickWord('performing|performing|performing|defaulted|repaid', "'lg' || n")} from generate_series(1, 380) n`,
  `insert into bank.instalments select n, 1 + ${pick("'ia' || n", 370)}::int, date '2024-01-01' + ${pick("'ib' || n", 800)}::int, 20 + ${pick("'ic' || n", 120000)} / 100.0, case when ${pick("'id' || n", 5)} > 0 then date '2024-01-05' + ${pick("'ie' || n", 700)}::int end from generate_series(1, 4200) n`,
  `insert into bank.cards select n, 1 + ${pick("'ka' || n", 900)}::int, ${pickWord('Visa|Mastercard', "'kb' || n")}, ${pick("'kc' || n", 14)} = 0, date '2020-01-01' + ${pick("'kd' || n", 2100)}::int, date '2025-06-01' + ${pick("'ke' || n", 1200)}::int from generate_series(1, 850) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`

export const BANK_QUESTIONS = toQuestions([
  ['q', 'How many customers do we have?', 'select count(*) from bank.customers'],
  ['q', 'customers by segment', 'select segment, count(*) from bank.customers group by 1'],
  [
    'q',
    'premium customers in Riga',
    listOrCount(
      'customer_id',
      "bank.customers join bank.branches using (branch_id) where segment = 'Premium' and city = 'Riga'",
    ),
  ],
  ['q', 'customers per branch', ['select branch_id, count(*) from bank.customers group by 1']],
  ['q', 'new customers this year', listOrCount('customer_id', "bank.customers where joined_on >= '2025-01-01'")],
  ['q', 'customers under 30', listOrCount('customer_id', "bank.customers where birth_date > '1995-12-15'")],
  ['q', 'customers without a phone number', listOrCount('customer_id', 'bank.customers where phone is null')],
  ['q', 'average credit score by segment', 'select segment, avg(credit_score) from bank.customers group by 1'],
  [
    'q',
    'customers with a credit score below 400',
    listOrCount('customer_id', 'bank.customers where credit_score < 400'),
  ],
  [
    'q',
    'customers without an account',
    listOrCount(
      'customer_id',
      'bank.customers c where not exists (select from bank.accounts a where a.customer_id = c.customer_id)',
    ),
  ],
  [
    'q',
    'customers with more than 3 accounts',
    ['select customer_id from bank.accounts group by 1 having count(*) > 3'],
  ],
  ['q', 'accounts by type', 'select account_type, count(*) from bank.accounts group by 1'],
  ['q', 'total balance', 'select sum(balance) from bank.accounts'],
  [
    'q',
    'total balance by account type and currency',
    'select account_type, currency, sum(balance) from bank.accounts group by 1, 2',
  ],
  ['q', 'average savings balance', "select avg(balance) from bank.accounts where account_type = 'Savings'"],
  ['q', 'overdrawn accounts', []],
  [
    'q',
    'accounts with a negative balance',
    ['select account_id from bank.accounts where balance < 0', 'select count(*) from bank.accounts where balance < 0'],
  ],
  [
    'q',
    'accounts closed last year',
    listOrCount('account_id', "bank.accounts where closed_on >= '2024-01-01' and closed_on < '2025-01-01'"),
  ],
  [
    'q',
    'how many accounts were opened in 2023',
    "select count(*) from bank.accounts where opened_on >= '2023-01-01' and opened_on < '2024-01-01'",
  ],
  ['q', 'USD accounts', listOrCount('account_id', "bank.accounts where currency = 'USD'")],
  [
    'q',
    'accounts without an overdraft limit',
    listOrCount('account_id', 'bank.accounts where overdraft_limit is null'),
  ],
  ['q', 'account with the highest balance', 'select account_id from bank.accounts order by balance desc limit 1'],
  [
    'q',
    'balance by city',
    'select city, sum(balance) from bank.accounts join bank.customers using (customer_id) join bank.branches using (branch_id) group by 1',
  ],
  [
    'q',
    'top 5 branches by number of customers',
    ['select branch_id from bank.customers group by 1 order by count(*) desc, branch_id limit 5'],
  ],
  [
    'q',
    'number of transactions per month in 2025',
    `select ${month('booked_at')}, count(*) from bank.transactions where booked_at >= '2025-01-01' group by 1`,
  ],
  ['q', 'transactions by channel', ['select channel, count(*) from bank.transactions group by 1']],
  [
    'q',
    'total amount of card transactions last month',
    "select sum(amount) from bank.transactions where channel = 'card' and booked_at >= '2025-11-01' and booked_at < '2025-12-01'",
  ],
  ['q', 'average transaction amount by channel', 'select channel, avg(amount) from bank.transactions group by 1'],
  [
    'q',
    'how much was spent on groceries in 2025',
    [
      "select sum(amount) from bank.transactions where merchant_category = 'Groceries' and booked_at >= '2025-01-01'",
      "select sum(amount) from bank.transactions where merchant_category = 'Groceries' and direction = 'debit' and booked_at >= '2025-01-01'",
    ],
  ],
  ['q', 'biggest transaction', 'select transaction_id from bank.transactions order by amount desc limit 1'],
  ['q', 'transactions above 1400', listOrCount('transaction_id', 'bank.transactions where amount > 1400')],
  [
    'q',
    'what share of transactions is online',
    [100, 1].map(
      (whole) => `select ${whole}.0 * count(*) filter (where channel = 'online') / count(*) from bank.transactions`,
    ),
  ],
  [
    'q',
    'most popular merchant category',
    [
      'select merchant_category from bank.transactions where merchant_category is not null group by 1 order by count(*) desc limit 1',
    ],
  ],
  [
    'q',
    'accounts without transactions this year',
    listOrCount(
      'account_id',
      "bank.accounts a where not exists (select from bank.transactions t where t.account_id = a.account_id and booked_at >= '2025-01-01')",
    ),
  ],
  ['q', 'net flow per month', []],
  ['q', 'money in versus money out', []],
  [
    'q',
    'atm withdrawals per quarter',
    [
      "select date_trunc('quarter', booked_at)::date, count(*) from bank.transactions where channel = 'atm' and direction = 'debit' group by 1",
    ],
  ],
  ['q', 'loans by type', 'select loan_type, count(*) from bank.loans group by 1'],
  ['q', 'total principal of mortgages', "select sum(principal) from bank.loans where loan_type = 'Mortgage'"],
  ['q', 'average interest rate by loan type', 'select loan_type, avg(interest_rate) from bank.loans group by 1'],
  ['q', 'defaulted loans', listOrCount('loan_id', "bank.loans where loan_state = 'defaulted'")],
  ['q', 'default rate', []],
  [
    'q',
    'what percentage of loans has defaulted',
    [100, 1].map(
      (whole) => `select ${whole}.0 * count(*) filter (where loan_state = 'defaulted') / count(*) from bank.loans`,
    ),
  ],
  ['q', 'loans with a term over 240 months', listOrCount('loan_id', 'bank.loans where term_months > 240')],
  ['q', 'loans granted per year', "select date_trunc('year', granted_on)::date, count(*) from bank.loans group by 1"],
  ['q', 'largest car loan', "select loan_id from bank.loans where loan_type = 'Car' order by principal desc limit 1"],
  [
    'q',
    'principal by segment',
    'select segment, sum(principal) from bank.loans join bank.customers using (customer_id) group by 1',
  ],
  [
    'q',
    'customers with a mortgage',
    [
      "select customer_id from bank.customers c where exists (select from bank.loans l where l.customer_id = c.customer_id and loan_type = 'Mortgage')",
      "select count(*) from bank.customers c where exists (select from bank.loans l where l.customer_id = c.customer_id and loan_type = 'Mortgage')",
    ],
  ],
  ['q', 'unpaid instalments', listOrCount('instalment_id', 'bank.instalments where paid_date is null')],
  ['q', 'overdue instalments', []],
  [
    'q',
    'instalments due next month',
    listOrCount('instalment_id', "bank.instalments where due_date >= '2026-01-01' and due_date < '2026-02-01'"),
  ],
  [
    'q',
    'total amount due this month',
    "select sum(amount_due) from bank.instalments where due_date >= '2025-12-01' and due_date < '2026-01-01'",
  ],
  ['q', 'blocked cards by brand', 'select card_brand, count(*) from bank.cards where is_blocked group by 1'],
  [
    'q',
    'cards expiring in 2026',
    listOrCount('card_id', "bank.cards where expires_on >= '2026-01-01' and expires_on < '2027-01-01'"),
  ],
  ['q', 'how many Visa cards are there', "select count(*) from bank.cards where card_brand = 'Visa'"],
  ['q', 'branches with more than 25 staff', listOrCount('branch_id', 'bank.branches where staff_count > 25')],
  ['q', 'oldest branch', 'select branch_id from bank.branches order by opened_on limit 1'],
])
