import { pickWord, pick } from './sample-values.ts'

/** Many-to-many, two foreign keys between the same tables, flags with dates, undeclared keys. */
export const LIBRARY_SCHEMA = 'lib'

export const LIBRARY_STATEMENTS: readonly string[] = [
  'create table lib.branches (branch_id int primary key, branch_name text not null, district text not null, opened_on date not null)',
  `create table lib.members (member_id int primary key, given_name text not null, family_name text not null, postcode text not null,
     membership_level text not null, joined_at timestamptz not null, is_blocked boolean not null, home_branch_id int not null references lib.branches)`,
  'create table lib.authors (author_id int primary key, author_name text not null, nationality text not null, birth_year int not null)',
  `create table lib.titles (title_id int primary key, book_title text not null, genre text not null, published_year int not null, page_count int not null,
     language text not null)`,
  `create table lib.title_authors (title_id int not null references lib.titles, author_id int not null references lib.authors,
     primary key (title_id, author_id))`,
  `create table lib.copies (copy_id int primary key, title_id int not null, branch_id int not null, acquired_on date not null,
     purchase_price numeric(8,2) not null, condition text not null)`,
  `create table lib.loans (loan_id int primary key, copy_id int not null references lib.copies, member_id int not null references lib.members,
     borrowed_at timestamptz not null, due_on date not null, returned_at timestamptz, renewals int not null)`,
  `create table lib.fines (fine_id int primary key, loan_id int not null references lib.loans, fine_amount numeric(6,2) not null, reason text not null,
     issued_on date not null, paid_on date)`,
  `insert into lib.branches select n, (array['Central', 'Harbour', 'Northgate', 'Riverside', 'Hillview'])[n],
     (array['Old Town', 'Docks', 'North', 'South', 'North'])[n], date '1990-01-01' + n * 900 from generate_series(1, 5) n`,
  `insert into lib.members select n, ${pickWord('Ana|Bo|Cai|Dov|Eli|Fay', "'mg' || n")}, ${pickWord('Reyes|Stone|Tanaka|Ueda|Vance', "'mf' || n")}, (1000 + ${pick("'mp' || n", 40)})::text,
     ${pickWord('basic|basic|basic|premium|student', "'ml' || n")}, timestamptz '2021-01-01 10:00+00' + ${pick("'mj' || n", 1800)} * interval '1 day',
     ${pick("'mb' || n", 12)} = 0, 1 + ${pick("'mh' || n", 5)} from generate_series(1, 900) n`,
  `insert into lib.authors select n, ${pickWord('Iris|Kofi|Lena|Marek|Nadia', "'ag' || n")} || ' ' || ${pickWord('Aalto|Bianchi|Cruz|Diallo', "'af' || n")} || ' ' || n,
     ${pickWord('Finnish|Italian|Spanish|Senegalese', "'an' || n")}, 1900 + ${pick("'ab' || n", 95)} from generate_series(1, 80) n`,
  `insert into lib.titles select n, ${pickWord('Silent|Golden|Broken|Hidden', "'tt' || n")} || ' ' || ${pickWord('Harbour|Garden|Mirror|Winter', "'tu' || n")} || ' ' || n,
     ${pickWord('novel|crime|poetry|history|science', "'tg' || n")}, 1950 + ${pick("'ty' || n", 75)}, 80 + ${pick("'tp' || n", 700)},
     ${pickWord('English|English|French|German', "'tl' || n")} from generate_series(1, 300) n`,
  `insert into lib.title_authors select distinct n, 1 + ${pick("'ta' || n || '-' || k", 70)} from generate_series(1, 300) n, generate_series(1, 2) k`,
  `insert into lib.copies select n, 1 + ${pick("'ct' || n", 280)}, 1 + ${pick("'cb' || n", 5)}, date '2018-01-01' + ${pick("'ca' || n", 2800)}::int,
     5 + ${pick("'cp' || n", 4000)} / 100.0, ${pickWord('new|good|good|worn|damaged', "'cc' || n")} from generate_series(1, 1200) n`,
  `insert into lib.loans select l.n, 1 + ${pick("'lc' || l.n", 1100)}, 1 + ${pick("'lm' || l.n", 800)}, l.at, l.at::date + 28,
     case when ${pick("'lr' || l.n", 10)} > 0 then l.at + (1 + ${pick("'ld' || l.n", 50)}) * interval '1 day' end, ${pick("'ln' || l.n", 4)}
     from (select n, timestamptz '2024-06-01 08:00+00' + ${pick("'lb' || n", 770_000)} * interval '1 minute' as at from generate_series(1, 5000) n) l`,
  `insert into lib.fines select n, n * 7, 1 + ${pick("'fa' || n", 1500)} / 100.0, ${pickWord('late|late|late|damage|lost', "'fr' || n")},
     date '2024-08-01' + ${pick("'fi' || n", 490)}::int, case when ${pick("'fp' || n", 3)} > 0 then date '2025-12-10' end from generate_series(1, 600) n`,
]
