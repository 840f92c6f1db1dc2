import { type Question, toQuestions } from './question.ts'

const SEEN = 'clinic.appt a join clinic.physician d on d.phys_id = a.phys_id'
const GIVEN = 'clinic.rx r join clinic.drug g on g.drug_id = r.drug_id'

export const CLINIC_QUESTIONS: readonly Question[] = toQuestions([
  ['count', 'How many patients are there?', 'select count(*) from clinic.patient'],
  ['count', 'number of appointments', 'select count(*) from clinic.appt'],
  [
    'count',
    'how many physicians work in Cardiology',
    "select count(*) from clinic.physician d join clinic.dept t using (dept_id) where dept_nm = 'Cardiology'",
  ],
  ['count', 'How many appointments were no shows?', "select count(*) from clinic.appt where appt_status = 'no_show'"],
  [
    'count',
    'how many female patients live in Bern',
    "select count(*) from clinic.patient where sex = 'F' and city = 'Bern'",
  ],
  [
    'count',
    'how many different drugs do we have from Roche',
    "select count(*) from clinic.drug where manufacturer = 'Roche'",
  ],
  ['total', 'total fees', 'select sum(fee_amt) from clinic.appt'],
  [
    'total',
    'total fee amount of completed appointments',
    "select sum(fee_amt) from clinic.appt where appt_status = 'completed'",
  ],
  ['total', 'How much do we pay in salaries in total?', 'select sum(salary) from clinic.physician'],
  ['total', 'total quantity of Morphine prescribed', `select sum(qty) from ${GIVEN} where drug_nm = 'Morphine'`],
  [
    'total',
    'sum of appointment minutes in 2025',
    "select sum(duration_min) from clinic.appt where scheduled_at >= '2025-01-01' and scheduled_at < '2026-01-01'",
  ],
  ['average', 'average salary of physicians', 'select avg(salary) from clinic.physician'],
  [
    'average',
    'what is the average salary by specialty?',
    'select specialty, avg(salary) from clinic.physician group by 1',
  ],
  [
    'average',
    'average appointment duration per department',
    `select dept_nm, avg(duration_min) from ${SEEN} join clinic.dept t on t.dept_id = d.dept_id group by 1`,
  ],
  [
    'average',
    'mean severity of asthma diagnoses',
    "select avg(severity) from clinic.diagnosis where dx_desc = 'Asthma'",
  ],
  ['average', 'average unit cost of drugs', 'select avg(unit_cost) from clinic.drug'],
  ['group', 'patients by city', 'select city, count(*) from clinic.patient group by 1'],
  ['group', 'number of appointments per physician', `select d.phys_id, count(*) from ${SEEN} group by 1`],
  ['group', 'appointments by status', 'select appt_status, count(*) from clinic.appt group by 1'],
  [
    'group',
    'how many patients does each insurer have',
    'select insurer_name, count(*) from clinic.patient join clinic.insurer using (insurer_id) group by 1',
  ],
  ['group', 'diagnoses per disease name', 'select dx_desc, count(*) from clinic.diagnosis group by 1'],
  ['group', 'prescriptions by manufacturer', `select manufacturer, count(*) from ${GIVEN} group by 1`],
  ['group', 'fees by specialty', `select specialty, sum(fee_amt) from ${SEEN} group by 1`],
  [
    'group',
    'count patients by sex and blood group',
    'select sex, blood_grp, count(*) from clinic.patient group by 1, 2',
  ],
  [
    'top',
    'which city has the most patients?',
    'select city, count(*) from clinic.patient group by 1 order by 2 desc limit 1',
  ],
  [
    'top',
    'top 3 drugs by number of prescriptions',
    `select drug_nm, count(*) from ${GIVEN} group by 1 order by 2 desc limit 3`,
  ],
  ['top', 'best paid physician', 'select phys_id from clinic.physician order by salary desc limit 1'],
  ['top', 'most expensive drug', 'select drug_nm from clinic.drug order by unit_cost desc limit 1'],
  ['top', 'most common diagnosis', 'select dx_desc, count(*) from clinic.diagnosis group by 1 order by 2 desc limit 1'],
  [
    'top',
    '5 physicians with the highest total fees',
    `select d.phys_id, sum(fee_amt) from ${SEEN} group by 1 order by 2 desc limit 5`,
  ],
  ['top', 'oldest patient', 'select full_nm from clinic.patient order by birth_dt limit 1'],
  [
    'top',
    'longest appointment',
    [
      'select max(duration_min) from clinic.appt',
      'select appt_id from clinic.appt order by duration_min desc limit 1',
      'select appt_id from clinic.appt where duration_min = (select max(duration_min) from clinic.appt)',
    ],
  ],
  ['value', 'list physicians who are surgeons', "select phys_id from clinic.physician where specialty = 'surgeon'"],
  [
    'value',
    'patients in Zurich with blood group O-',
    "select patient_id from clinic.patient where city = 'Zurich' and blood_grp = 'O-'",
  ],
  ['value', 'names of controlled drugs', 'select drug_nm from clinic.drug where is_controlled'],
  [
    'value',
    'cancelled appointments of Dr. Tanaka, how many?',
    `select count(*) from ${SEEN} where last_nm = 'Tanaka' and appt_status = 'cancelled'`,
  ],
  [
    'value',
    'number of patients insured by Helvia',
    "select count(*) from clinic.patient join clinic.insurer using (insurer_id) where insurer_name = 'Helvia'",
  ],
  ['value', 'drugs not made by Bayer', "select drug_nm from clinic.drug where manufacturer <> 'Bayer'"],
  ['number', 'physicians earning more than 120000', 'select phys_id from clinic.physician where salary > 120000'],
  [
    'number',
    'how many appointments lasted longer than 45 minutes',
    'select count(*) from clinic.appt where duration_min > 45',
  ],
  ['number', 'drugs with a unit cost under 15', 'select drug_nm from clinic.drug where unit_cost < 15'],
  ['number', 'number of diagnoses with severity 5', 'select count(*) from clinic.diagnosis where severity = 5'],
  [
    'number',
    'appointments with fee between 100 and 150, count',
    'select count(*) from clinic.appt where fee_amt between 100 and 150',
  ],
  [
    'time',
    'how many appointments were scheduled in November 2025?',
    "select count(*) from clinic.appt where scheduled_at >= '2025-11-01' and scheduled_at < '2025-12-01'",
  ],
  [
    'time',
    'patients registered in 2023',
    "select patient_id from clinic.patient where registered_on >= '2023-01-01' and registered_on < '2024-01-01'",
  ],
  ['time', 'physicians hired before 2015', "select phys_id from clinic.physician where hired_on < '2015-01-01'"],
  ['time', 'fees in the last 90 days', "select sum(fee_amt) from clinic.appt where scheduled_at >= '2025-09-16'"],
  [
    'time',
    'patients born after 2000',
    [
      "select patient_id from clinic.patient where birth_dt >= '2001-01-01'",
      "select patient_id from clinic.patient where birth_dt > '2000-01-01'",
    ],
  ],
  ['trend', 'appointments per month', "select date_trunc('month', scheduled_at), count(*) from clinic.appt group by 1"],
  ['trend', 'yearly fees', "select date_trunc('year', scheduled_at), sum(fee_amt) from clinic.appt group by 1"],
  [
    'trend',
    'admissions by month',
    "select date_trunc('month', admitted_on), count(*) from clinic.ward_stay group by 1",
  ],
  [
    'trend',
    'new patients per year',
    "select date_trunc('year', registered_on), count(*) from clinic.patient group by 1",
  ],
  [
    'never',
    'patients who never had an appointment',
    'select patient_id from clinic.patient p where not exists (select from clinic.appt a where a.patient_id = p.patient_id)',
  ],
  [
    'never',
    'physicians without appointments',
    'select phys_id from clinic.physician d where not exists (select from clinic.appt a where a.phys_id = d.phys_id)',
  ],
  ['never', 'how many patients have no insurer', 'select count(*) from clinic.patient where insurer_id is null'],
  [
    'never',
    'drugs that were never prescribed',
    'select drug_nm from clinic.drug g where not exists (select from clinic.rx r where r.drug_id = g.drug_id)',
  ],
  ['never', 'ward stays not yet discharged', 'select stay_id from clinic.ward_stay where discharged_on is null'],
  [
    'having',
    'patients with more than 10 appointments',
    'select patient_id from clinic.appt group by 1 having count(*) > 10',
  ],
  [
    'having',
    'departments with fewer than 6 physicians',
    'select dept_nm from clinic.dept join clinic.physician using (dept_id) group by dept_id, dept_nm having count(*) < 6',
  ],
  [
    'having',
    'how many patients had at least 5 appointments',
    'select count(*) from (select patient_id from clinic.appt group by 1 having count(*) >= 5) t',
  ],
  [
    'having',
    'physicians with total fees above 15000',
    'select phys_id from clinic.appt group by 1 having sum(fee_amt) > 15000',
  ],
  [
    'share',
    'what percentage of appointments were cancelled?',
    "select 100.0 * count(*) filter (where appt_status = 'cancelled') / count(*) from clinic.appt",
  ],
  [
    'share',
    'share of patients by insurer plan type',
    'select plan_type, count(*)::numeric / sum(count(*)) over () from clinic.patient join clinic.insurer using (insurer_id) group by 1',
  ],
  [
    'share',
    'percentage of patients who are male',
    "select 100.0 * count(*) filter (where sex = 'M') / count(*) from clinic.patient",
  ],
  [
    'share',
    'share of fees by department',
    `select dept_nm, sum(fee_amt) / (select sum(fee_amt) from clinic.appt) from ${SEEN} join clinic.dept t on t.dept_id = d.dept_id group by 1`,
  ],
])
