import { type Question, toQuestions } from './question.ts'

const month = (column: string) => `date_trunc('month', ${column} at time zone 'UTC')::date`
const LENT = 'lib.loans l join lib.copies c on c.copy_id = l.copy_id'
const OF_TITLE = `${LENT} join lib.titles t on t.title_id = c.title_id`

export const LIBRARY_QUESTIONS: readonly Question[] = toQuestions([
  ['count', 'how many members do we have', 'select count(*) from lib.members'],
  ['count', 'How many blocked members are there?', 'select count(*) from lib.members where is_blocked'],
  ['count', 'number of crime titles', "select count(*) from lib.titles where genre = 'crime'"],
  ['count', 'how many loans were not returned', 'select count(*) from lib.loans where returned_at is null'],
  [
    'count',
    'how many copies does the Harbour branch have',
    "select count(*) from lib.copies c join lib.branches b using (branch_id) where branch_name = 'Harbour'",
  ],
  ['total', 'total fine amount', 'select sum(fine_amount) from lib.fines'],
  [
    'total',
    'total purchase price of worn copies',
    "select sum(purchase_price) from lib.copies where condition = 'worn'",
  ],
  [
    'total',
    'how much in fines was issued in 2025',
    "select sum(fine_amount) from lib.fines where issued_on >= '2025-01-01' and issued_on < '2026-01-01'",
  ],
  ['average', 'average page count by genre', 'select genre, avg(page_count) from lib.titles group by 1'],
  ['average', 'average fine amount for damage', "select avg(fine_amount) from lib.fines where reason = 'damage'"],
  ['group', 'fines by reason', 'select reason, count(*) from lib.fines group by 1'],
  ['group', 'members by membership level', 'select membership_level, count(*) from lib.members group by 1'],
  ['group', 'number of loans by genre', `select t.genre, count(*) from ${OF_TITLE} group by 1`],
  [
    'group',
    'copies per district',
    'select district, count(*) from lib.copies c join lib.branches b using (branch_id) group by 1',
  ],
  ['group', 'titles per language', 'select language, count(*) from lib.titles group by 1'],
  ['time', 'loans per month', `select ${month('borrowed_at')}, count(*) from lib.loans group by 1`],
  [
    'time',
    'new members in 2024',
    [
      "select count(*) from lib.members where joined_at >= '2024-01-01' and joined_at < '2025-01-01'",
      "select member_id from lib.members where joined_at >= '2024-01-01' and joined_at < '2025-01-01'",
    ],
  ],
  [
    'time',
    'loans in the last 30 days',
    "select * from lib.loans where borrowed_at >= '2025-11-15' and borrowed_at < '2025-12-16'",
  ],
  [
    'top',
    'top 5 titles by number of loans',
    `select t.book_title, count(*) from ${OF_TITLE} group by t.title_id order by 2 desc limit 5`,
  ],
  [
    'top',
    'which branch has the most copies',
    'select branch_name, count(*) from lib.copies join lib.branches using (branch_id) group by 1 order by 2 desc limit 1',
  ],
  ['top', 'most expensive copy', 'select copy_id, purchase_price from lib.copies order by purchase_price desc limit 1'],
  ['top', 'the 3 longest titles', 'select book_title, page_count from lib.titles order by page_count desc limit 3'],
  [
    'absence',
    'members who never borrowed anything',
    'select member_id from lib.members m where not exists (select from lib.loans l where l.member_id = m.member_id)',
  ],
  [
    'absence',
    'titles without copies',
    'select title_id from lib.titles t where not exists (select from lib.copies c where c.title_id = t.title_id)',
  ],
  ['absence', 'unpaid fines', 'select fine_id from lib.fines where paid_on is null'],
  ['compare', 'titles with more than 600 pages', 'select title_id from lib.titles where page_count > 600'],
  [
    'compare',
    'members with more than 12 loans',
    'select member_id, count(*) from lib.loans group by 1 having count(*) > 12',
  ],
  [
    'join',
    'number of titles by nationality of the author',
    `select nationality, count(distinct title_id) from lib.title_authors join lib.authors using (author_id) group by 1`,
  ],
  [
    'join',
    'fines of premium members',
    `select f.fine_id from lib.fines f join lib.loans l using (loan_id) join lib.members m using (member_id) where membership_level = 'premium'`,
  ],
  ['share', 'what percentage of loans were returned', 'select 100.0 * count(returned_at) / count(*) from lib.loans'],
  [
    'list',
    'German novels published after 2015',
    "select title_id from lib.titles where genre = 'novel' and language = 'German' and published_year > 2015",
  ],
  ['list', 'show authors born before 1920', 'select author_id from lib.authors where birth_year < 1920'],
])
