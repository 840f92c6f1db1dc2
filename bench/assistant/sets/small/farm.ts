import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const FARM_STATEMENTS: readonly string[] = [
  `create table farm.barn (barn_code text primary key, barn_label text not null, stalls int not null)`,
  `create table farm.cow (ear_tag text primary key, cow_name text, breed text not null, born date not null, mother_tag text references farm.cow, barn_code text references farm.barn, weight_kg int, sold_date date, is_pregnant boolean not null)`,
  `create table farm.milking (milking_id int primary key, ear_tag text not null references farm.cow, milked_at timestamp not null, litres numeric(5,2) not null, fat_pct numeric(4,2), milked_by int)`,
  `create table farm.worker (worker_id int primary key, worker_name text not null, contract_type text not null, wage_per_hour numeric(5,2) not null, start_date date not null)`,
  `create table farm.field (field_id int primary key, field_name text not null, hectares numeric(6,2) not null, soil text not null, is_leased boolean not null)`,
  `create table farm.harvest (harvest_id int primary key, field_id int not null references farm.field, crop text not null, harvested_on date not null, yield_tonnes numeric(7,2) not null, moisture numeric(4,1))`,
  `create table farm.feed_delivery (delivery_id int primary key, supplier text not null, feed_type text not null, delivered_on date not null, kilos int not null, price_per_kilo numeric(5,3) not null, invoice_paid boolean not null)`,
  `create table farm.vet_visit (visit_id int primary key, ear_tag text not null references farm.cow, visited_on date not null, reason text not null, vet text not null, bill numeric(7,2), follow_up_on date)`,
  `alter table farm.milking add foreign key (milked_by) references farm.worker`,
  `insert into farm.barn select 'B' || n, ${pickWord('North|South|Old|New', "'ba' || n")} || ' barn ' || n, 20 + 5 * n from generate_series(1, 6) n`,
  `insert into farm.cow select 'DE' || (1000 + n), case when ${pick("'ca' || n", 6)} > 0 then ${pickWord('Berta|Elsa|Frieda|Lotte', "'cb' || n")} || ' ' || n end, ${pickWord('Holstein|Holstein|Jersey|Simmental', "'cc' || n")}, date '2013-01-01' + ${pick("'cd' || n", 4400)}::int, case when n > 60 and ${pick("'ce' || n", 4)} > 0 then 'DE' || (1001 + ${pick("'cf' || n", 58)}) end, case when ${pick("'cg' || n", 9)} > 0 then 'B' || (1 + ${pick("'ch' || n", 6)}) end, case when ${pick("'ci' || n", 7)} > 0 then 450 + ${pick("'cj' || n", 300)}::int end, case when ${pick("'ck' || n", 8)} = 0 then date '2024-03-01' + ${pick("'cl' || n", 600)}::int end, ${pick("'cm' || n", 4)} = 0 from generate_series(1, 260) n`,
  `insert into farm.worker select n, ${pickWord('Kurt|Lena|Mats|Nora', "'wa' || n")} || ' ' || n, ${pickWord('permanent|seasonal', "'wb' || n")}, 12 + ${pick("'wc' || n", 1200)} / 100.0, date '2015-01-01' + ${pick("'wd' || n", 3900)}::int from generate_series(1, 15) n`,
  `insert into farm.milking select n, 'DE' || (1001 + ${pick("'ma' || n", 240)}), timestamp '2024-06-01 05:00' + ${pick("'mb' || n", 1120)} * interval '12 hours', 5 + ${pick("'mc' || n", 2200)} / 100.0, case when ${pick("'md' || n", 5)} > 0 then 3 + ${pick("'me' || n", 250)} / 100.0 end, case when ${pick("'mf' || n", 8)} > 0 then 1 + ${pick("'mg' || n", 14)}::int end from generate_series(1, 12000) n`,
  `insert into farm.field select n, ${pickWord('Long|Hill|River|Chapel', "'fa' || n")} || ' acre ' || n, 1 + ${pick("'fb' || n", 3000)} / 100.0, ${pickWord('clay|loam|sand', "'fc' || n")}, ${pick("'fd' || n", 3)} = 0 from generate_series(1, 34) n`,
  `insert into farm.harvest select n, 1 + ${pick("'ha' || n", 31)}::int, ${pickWord('maize|wheat|grass|barley', "'hb' || n")}, date '2021-06-01' + ${pick("'hc' || n", 1600)}::int, 2 + ${pick("'hd' || n", 9000)} / 100.0, case when ${pick("'he' || n", 4)} > 0 then 10 + ${pick("'hf' || n", 200)} / 10.0 end from generate_series(1, 300) n`,
  `insert into farm.feed_delivery select n, ${pickWord('Agrar Nord|Muller Mills|Feed4U', "'da' || n")}, ${pickWord('silage|soy|minerals|hay', "'db' || n")}, date '2023-01-05' + ${pick("'dc' || n", 1070)}::int, 200 + ${pick("'dd' || n", 9000)}::int, 0.1 + ${pick("'de' || n", 900)} / 1000.0, ${pick("'df' || n", 5)} > 0 from generate_series(1, 420) n`,
  `insert into farm.vet_visit select n, 'DE' || (1001 + ${pick("'va' || n", 230)}), date '2023-01-02' + ${pick("'vb' || n", 1075)}::int, ${pickWord('mastitis|calving|lameness|vaccination', "'vc' || n")}, ${pickWord('Dr Adler|Dr Busch', "'vd' || n")}, case when ${pick("'ve' || n", 7)} > 0 then 30 + ${pick("'vf' || n", 40000)} / 100.0 end, case when ${pick("'vg' || n", 4)} = 0 then date '2025-12-01' + ${pick("'vh' || n", 60)}::int end from generate_series(1, 640) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const FEED = 'sum(kilos * price_per_kilo)'

export const FARM_QUESTIONS = toQuestions([
  [
    'q',
    'how many cows do we have?',
    ['select count(*) from farm.cow', 'select count(*) from farm.cow where sold_date is null'],
  ],
  ['q', 'cows by breed', 'select breed, count(*) from farm.cow group by 1'],
  ['q', 'how many Jersey cows are pregnant', "select count(*) from farm.cow where breed = 'Jersey' and is_pregnant"],
  [
    'q',
    'pregnant cows per barn',
    ['select barn_code, count(*) from farm.cow where is_pregnant and barn_code is not null group by 1'],
  ],
  ['q', 'cows without a name', listOrCount('ear_tag', 'farm.cow where cow_name is null')],
  ['q', 'cows that are not in a barn', listOrCount('ear_tag', 'farm.cow where barn_code is null')],
  ['q', 'oldest cow', 'select ear_tag from farm.cow order by born limit 1'],
  ['q', 'heaviest cow', 'select ear_tag from farm.cow order by weight_kg desc nulls last limit 1'],
  ['q', 'average weight by breed', 'select breed, avg(weight_kg) from farm.cow group by 1'],
  ['q', 'cows heavier than 700 kg', listOrCount('ear_tag', 'farm.cow where weight_kg > 700')],
  [
    'q',
    'cows sold this year',
    listOrCount('ear_tag', "farm.cow where sold_date >= '2025-01-01' and sold_date < '2026-01-01'"),
  ],
  ['q', 'calves born in 2024', listOrCount('ear_tag', "farm.cow where born >= '2024-01-01' and born < '2025-01-01'")],
  [
    'q',
    'cows that never saw the vet',
    listOrCount('ear_tag', 'farm.cow c where not exists (select from farm.vet_visit v where v.ear_tag = c.ear_tag)'),
  ],
  ['q', 'which cow has the most calves', []],
  ['q', 'cows per barn', ['select barn_code, count(*) from farm.cow where barn_code is not null group by 1']],
  ['q', 'total number of stalls', 'select sum(stalls) from farm.barn'],
  ['q', 'biggest barn', ['select barn_code from farm.barn order by stalls desc limit 1']],
  ['q', 'litres of milk per month', `select ${month('milked_at')}, sum(litres) from farm.milking group by 1`],
  [
    'q',
    'total litres last week',
    ["select sum(litres) from farm.milking where milked_at >= '2025-12-08' and milked_at < '2025-12-15'"],
  ],
  [
    'q',
    'how much milk did we get in October',
    "select sum(litres) from farm.milking where milked_at >= '2025-10-01' and milked_at < '2025-11-01'",
  ],
  ['q', 'average litres per milking', 'select avg(litres) from farm.milking'],
  [
    'q',
    'average fat by breed',
    'select breed, avg(fat_pct) from farm.milking join farm.cow using (ear_tag) group by 1',
  ],
  ['q', 'top 10 cows by litres', ['select ear_tag from farm.milking group by 1 order by sum(litres) desc limit 10']],
  [
    'q',
    'which breed gives the most milk?',
    [
      'select breed from farm.milking join farm.cow using (ear_tag) group by 1 order by sum(litres) desc limit 1',
      'select breed from farm.milking join farm.cow using (ear_tag) group by 1 order by avg(litres) desc limit 1',
    ],
  ],
  ['q', 'milkings with fat above 5', listOrCount('milking_id', 'farm.milking where fat_pct > 5')],
  ['q', 'milkings without a fat measurement', listOrCount('milking_id', 'farm.milking where fat_pct is null')],
  [
    'q',
    'milkings by worker',
    [
      'select worker_name, count(*) from farm.milking m join farm.worker w on w.worker_id = m.milked_by group by worker_id, worker_name',
    ],
  ],
  [
    'q',
    'litres milked by each worker',
    [
      'select worker_name, sum(litres) from farm.milking m join farm.worker w on w.worker_id = m.milked_by group by worker_id, worker_name',
    ],
  ],
  ['q', 'seasonal workers', listOrCount('worker_id', "farm.worker where contract_type = 'seasonal'")],
  ['q', 'average wage by contract type', 'select contract_type, avg(wage_per_hour) from farm.worker group by 1'],
  ['q', 'best paid worker', 'select worker_id from farm.worker order by wage_per_hour desc limit 1'],
  ['q', 'total hectares', 'select sum(hectares) from farm.field'],
  ['q', 'hectares by soil', 'select soil, sum(hectares) from farm.field group by 1'],
  ['q', 'leased fields', listOrCount('field_id', 'farm.field where is_leased')],
  [
    'q',
    'what share of fields is leased',
    [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where is_leased) / count(*) from farm.field`),
  ],
  ['q', 'largest field', 'select field_id from farm.field order by hectares desc limit 1'],
  ['q', 'fields over 20 hectares', listOrCount('field_id', 'farm.field where hectares > 20')],
  ['q', 'yield by crop', 'select crop, sum(yield_tonnes) from farm.harvest group by 1'],
  [
    'q',
    'maize yield per year',
    "select date_trunc('year', harvested_on)::date, sum(yield_tonnes) from farm.harvest where crop = 'maize' group by 1",
  ],
  ['q', 'average moisture of wheat', "select avg(moisture) from farm.harvest where crop = 'wheat'"],
  [
    'q',
    'fields with no harvest this year',
    listOrCount(
      'field_id',
      "farm.field f where not exists (select from farm.harvest h where h.field_id = f.field_id and harvested_on >= '2025-01-01')",
    ),
  ],
  ['q', 'yield per hectare', []],
  [
    'q',
    'harvests on clay',
    listOrCount('harvest_id', "farm.harvest join farm.field using (field_id) where soil = 'clay'"),
  ],
  ['q', 'feed deliveries by supplier', ['select supplier, count(*) from farm.feed_delivery group by 1']],
  [
    'q',
    'kilos of soy delivered in 2025',
    "select sum(kilos) from farm.feed_delivery where feed_type = 'soy' and delivered_on >= '2025-01-01'",
  ],
  ['q', 'feed costs per supplier', [`select supplier, ${FEED} from farm.feed_delivery group by 1`]],
  ['q', 'deliveries with an unpaid invoice', listOrCount('delivery_id', 'farm.feed_delivery where not invoice_paid')],
  [
    'q',
    'average price per kilo by feed type',
    'select feed_type, avg(price_per_kilo) from farm.feed_delivery group by 1',
  ],
  ['q', 'vet visits by reason', 'select reason, count(*) from farm.vet_visit group by 1'],
  ['q', 'total vet bill this year', "select sum(bill) from farm.vet_visit where visited_on >= '2025-01-01'"],
  [
    'q',
    'mastitis cases per quarter',
    "select date_trunc('quarter', visited_on)::date, count(*) from farm.vet_visit where reason = 'mastitis' group by 1",
  ],
  [
    'q',
    'how many cows did Dr Adler treat',
    ["select count(distinct ear_tag) from farm.vet_visit where vet = 'Dr Adler'"],
  ],
  [
    'q',
    'follow-ups in the next 7 days',
    listOrCount('visit_id', "farm.vet_visit where follow_up_on >= '2025-12-15' and follow_up_on < '2025-12-22'"),
  ],
  ['q', 'cows with more than 5 vet visits', ['select ear_tag from farm.vet_visit group by 1 having count(*) > 5']],
  ['q', 'visits without a bill', listOrCount('visit_id', 'farm.vet_visit where bill is null')],
  ['q', 'sick cows', []],
])
