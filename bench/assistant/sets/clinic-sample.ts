import { pickWord, pick } from './sample-values.ts'

/** A hospital in names as old systems have them: short, some of them in two parts, keys that are called differently. */
export const CLINIC_SCHEMA = 'clinic'

export const CLINIC_STATEMENTS: readonly string[] = [
  'create table clinic.insurer (insurer_id int primary key, insurer_name text not null, plan_type text not null)',
  'create table clinic.dept (dept_id int primary key, dept_nm text not null, floor_no int not null)',
  `create table clinic.physician (phys_id int primary key, first_nm text not null, last_nm text not null, specialty text not null,
     dept_id int not null references clinic.dept, hired_on date not null, salary numeric(10,2) not null)`,
  `create table clinic.patient (patient_id int primary key, full_nm text not null, birth_dt date not null, sex char(1) not null,
     city text not null, blood_grp text not null, registered_on date not null, insurer_id int references clinic.insurer)`,
  `create table clinic.appt (appt_id int primary key, patient_id int not null references clinic.patient,
     phys_id int not null references clinic.physician, scheduled_at timestamptz not null, duration_min int not null,
     appt_status text not null, fee_amt numeric(10,2) not null)`,
  `create table clinic.diagnosis (dx_id int primary key, appt_id int not null references clinic.appt, icd_cd text not null,
     dx_desc text not null, severity int not null)`,
  `create table clinic.drug (drug_id int primary key, drug_nm text not null, manufacturer text not null, unit_cost numeric(8,2) not null,
     is_controlled boolean not null)`,
  `create table clinic.rx (rx_id int primary key, appt_id int not null references clinic.appt, drug_id int not null references clinic.drug,
     qty int not null, days_supply int not null)`,
  `create table clinic.ward_stay (stay_id int primary key, patient_id int not null references clinic.patient,
     dept_id int not null references clinic.dept, admitted_on date not null, discharged_on date, room_no text not null)`,
  `insert into clinic.insurer values (1, 'Northcare', 'public'), (2, 'Helvia', 'private'), (3, 'Sanitas Plus', 'private'), (4, 'Unimed', 'public')`,
  `insert into clinic.dept values (1, 'Cardiology', 3), (2, 'Neurology', 4), (3, 'Orthopedics', 2), (4, 'Pediatrics', 1), (5, 'Oncology', 5), (6, 'Emergency', 0)`,
  `insert into clinic.physician select n, ${pickWord('Anna|Boris|Clara|Dmitri|Eva|Felix|Greta|Hugo', "'pf' || n")},
     ${pickWord('Meyer|Sokolov|Dupont|Silva|Tanaka|Olsen|Brandt|Kim|Moretti|Novak', "'pl' || n")},
     ${pickWord('surgeon|internist|radiologist|anesthetist|pediatrician', "'sp' || n")}, 1 + ${pick("'pd' || n", 6)}::int,
     date '2010-01-01' + ${pick("'ph' || n", 5500)}::int, 60000 + ${pick("'sal' || n", 90000)} from generate_series(1, 40) n`,
  `insert into clinic.patient select n, ${pickWord('Ada|Ben|Cora|Dan|Ella|Finn|Gina|Hal', "'f' || n")} || ' ' || ${pickWord('Ash|Birch|Cedar|Elm|Fir|Hazel|Oak|Pine|Rowan', "'l' || n")} || ' ' || n,
     date '1940-01-01' + ${pick("'b' || n", 29000)}::int, ${pickWord('F|M', "'s' || n")}, ${pickWord('Zurich|Basel|Bern|Geneva|Lucerne', "'c' || n")},
     ${pickWord('A+|A-|B+|O+|O-|AB+', "'g' || n")}, date '2020-01-01' + ${pick("'r' || n", 2100)}::int,
     case when ${pick("'i' || n", 10)} = 0 then null else 1 + ${pick("'in' || n", 4)}::int end from generate_series(1, 600) n`,
  `insert into clinic.appt select n, 1 + ${pick("'ap' || n", 560)}::int, 1 + ${pick("'ad' || n", 38)}::int,
     timestamptz '2024-01-01 08:00+00' + ${pick("'at' || n", 700 * 24 * 4)} * interval '15 minutes',
     10 + 5 * ${pick("'du' || n", 10)}::int, ${pickWord('completed|completed|completed|no_show|cancelled|booked', "'st' || n")},
     40 + ${pick("'fee' || n", 260)} from generate_series(1, 3000) n`,
  `insert into clinic.diagnosis select n, 1 + ${pick("'da' || n", 3000)}::int, d.parts[1], d.parts[2], 1 + ${pick("'sv' || n", 5)}::int
     from generate_series(1, 2200) n cross join lateral (select string_to_array(${pickWord('I10:Hypertension|E11:Diabetes type 2|J45:Asthma|M54:Back pain|G43:Migraine|S52:Fracture of forearm', "'dx' || n")}, ':') as parts) d`,
  `insert into clinic.drug select n, (array['Ibuprofen','Amoxicillin','Metformin','Salbutamol','Morphine','Sumatriptan','Lisinopril','Paracetamol','Oxycodone','Insulin'])[n],
     (array['Roche','Bayer','Novartis','Roche','Bayer','Novartis','Roche','Bayer','Novartis','Roche'])[n], 2 + n * 3.5, n in (5, 9) from generate_series(1, 10) n`,
  `insert into clinic.rx select n, 1 + ${pick("'ra' || n", 3000)}::int, 1 + ${pick("'rd' || n", 9)}::int, 1 + ${pick("'rq' || n", 4)}::int, 7 * (1 + ${pick("'rs' || n", 4)}::int)
     from generate_series(1, 2500) n`,
  `insert into clinic.ward_stay select s.n, 1 + ${pick("'wp' || s.n", 600)}::int, 1 + ${pick("'wd' || s.n", 6)}::int, s.day,
     case when ${pick("'wo' || s.n", 12)} > 0 then s.day + 1 + ${pick("'wl' || s.n", 14)}::int end, 'R' || (100 + ${pick("'wr' || s.n", 60)})
     from (select n, date '2024-06-01' + ${pick("'wa' || n", 540)}::int as day from generate_series(1, 700) n) s`,
  "comment on table clinic.appt is 'Appointments of patients with physicians'",
  "comment on table clinic.rx is 'Prescriptions: drugs prescribed at an appointment'",
  "comment on table clinic.dept is 'Departments of the hospital'",
  "comment on column clinic.patient.birth_dt is 'Date of birth'",
  "comment on column clinic.diagnosis.dx_desc is 'Name of the disease'",
  "comment on column clinic.physician.salary is 'Per year'",
]
