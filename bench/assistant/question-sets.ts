import { SAMPLE_SCHEMA, listSampleStatements } from '@trellis/workspace-db/samples/shop'
import type { Question } from './sets/question.ts'
import { CHARITY_QUESTIONS } from './sets/charity-questions.ts'
import { CHARITY_SCHEMA, CHARITY_STATEMENTS } from './sets/charity-sample.ts'
import { CLINIC_QUESTIONS } from './sets/clinic-questions.ts'
import { CLINIC_SCHEMA, CLINIC_STATEMENTS } from './sets/clinic-sample.ts'
import { DELIVERY_QUESTIONS, DELIVERY_STATEMENTS } from './sets/small/delivery.ts'
import { DEMO_QUESTIONS } from './sets/demo-questions.ts'
import { FREIGHT_QUESTIONS } from './sets/freight-questions.ts'
import { FREIGHT_SCHEMA, FREIGHT_STATEMENTS } from './sets/freight-sample.ts'
import { HOTEL_QUESTIONS } from './sets/hotel-questions.ts'
import { HOTEL_SCHEMA, HOTEL_STATEMENTS } from './sets/hotel-sample.ts'
import { HR_QUESTIONS } from './sets/hr-questions.ts'
import { HR_SCHEMA, HR_STATEMENTS } from './sets/hr-sample.ts'
import { LIBRARY_QUESTIONS } from './sets/library-questions.ts'
import { LIBRARY_SCHEMA, LIBRARY_STATEMENTS } from './sets/library-sample.ts'
import { INSURANCE_QUESTIONS, INSURANCE_STATEMENTS } from './sets/small/insurance.ts'
import { LEAGUE_QUESTIONS, LEAGUE_STATEMENTS } from './sets/small/league.ts'
import { AIRPORT_QUESTIONS, AIRPORT_STATEMENTS } from './sets/small/airport.ts'
import { BREWERY_QUESTIONS, BREWERY_STATEMENTS } from './sets/small/brewery.ts'
import { CITYWORKS_QUESTIONS, CITYWORKS_STATEMENTS } from './sets/small/cityworks.ts'
import { GYM_QUESTIONS, GYM_STATEMENTS } from './sets/small/gym.ts'
import { BANK_QUESTIONS, BANK_STATEMENTS } from './sets/small/bank.ts'
import { FARM_QUESTIONS, FARM_STATEMENTS } from './sets/small/farm.ts'
import { LAWFIRM_QUESTIONS, LAWFIRM_STATEMENTS } from './sets/small/lawfirm.ts'
import { MUSEUM_QUESTIONS, MUSEUM_STATEMENTS } from './sets/small/museum.ts'
import { TRIALS_QUESTIONS, TRIALS_STATEMENTS } from './sets/small/trials.ts'
import { SENSORS_QUESTIONS, SENSORS_STATEMENTS } from './sets/small/sensors.ts'
import { FLEET_QUESTIONS, FLEET_STATEMENTS } from './sets/small/fleet.ts'
import { COURT_QUESTIONS, COURT_STATEMENTS } from './sets/small/court.ts'
import { PODCAST_QUESTIONS, PODCAST_STATEMENTS } from './sets/small/podcast.ts'
import { GRANTS_QUESTIONS, GRANTS_STATEMENTS } from './sets/small/grants.ts'
import { TIERHEIM_QUESTIONS, TIERHEIM_STATEMENTS } from './sets/small/tierheim.ts'
import { HARBOUR_QUESTIONS, HARBOUR_STATEMENTS } from './sets/small/harbour.ts'
import { MUSIKSCHULE_QUESTIONS, MUSIKSCHULE_STATEMENTS } from './sets/small/musikschule.ts'
import { CAMPING_QUESTIONS, CAMPING_STATEMENTS } from './sets/small/camping.ts'
import { METERS_QUESTIONS } from './sets/meters-questions.ts'
import { METERS_SCHEMA, METERS_STATEMENTS } from './sets/meters-sample.ts'
import { METRIC_QUESTIONS, METRIC_SCHEMA, METRICS } from './sets/metric-questions.ts'
import { PLANT_QUESTIONS, PLANT_STATEMENTS } from './sets/small/plant.ts'
import { RENTALS_QUESTIONS, RENTALS_STATEMENTS } from './sets/small/rentals.ts'
import { SAAS_QUESTIONS } from './sets/saas-questions.ts'
import { SAAS_SCHEMA, SAAS_STATEMENTS } from './sets/saas-sample.ts'
import { UNIVERSITY_QUESTIONS, UNIVERSITY_STATEMENTS } from './sets/small/university.ts'
import { VIDEO_QUESTIONS, VIDEO_SCHEMA, VIDEO_STATEMENTS } from './sets/video.ts'
import { CRM_QUESTIONS, CRM_STATEMENTS } from './sets/messy/crm.ts'
import { HANDWERK_QUESTIONS, HANDWERK_STATEMENTS } from './sets/messy/handwerk.ts'
import { TELECOM_QUESTIONS, TELECOM_STATEMENTS } from './sets/messy/telecom.ts'
import { WHOLESALE_QUESTIONS, WHOLESALE_STATEMENTS } from './sets/messy/wholesale.ts'
import { AUCTION_QUESTIONS, AUCTION_STATEMENTS } from './sets/messy/auction.ts'
import { MAINTENANCE_QUESTIONS, MAINTENANCE_STATEMENTS } from './sets/messy/maintenance.ts'
import { KINO_QUESTIONS, KINO_STATEMENTS } from './sets/messy/kino.ts'
import { ESPORTS_QUESTIONS, ESPORTS_STATEMENTS } from './sets/messy/esports.ts'
import { BAECKEREI_QUESTIONS, BAECKEREI_STATEMENTS } from './sets/messy/baeckerei.ts'

export interface QuestionSet {
  readonly name: string
  readonly schema: string
  readonly statements: readonly string[]
  readonly questions: readonly Question[]
  readonly minRight: number
  readonly metrics?: typeof METRICS
}

export const SETS: readonly QuestionSet[] = [
  {
    name: 'university',
    schema: 'uni',
    statements: UNIVERSITY_STATEMENTS,
    questions: UNIVERSITY_QUESTIONS,
    minRight: 60,
  },
  {
    name: 'shop',
    schema: SAMPLE_SCHEMA,
    statements: listSampleStatements(SAMPLE_SCHEMA),
    questions: DEMO_QUESTIONS,
    minRight: 80,
  },
  { name: 'clinic', schema: CLINIC_SCHEMA, statements: CLINIC_STATEMENTS, questions: CLINIC_QUESTIONS, minRight: 60 },
  { name: 'hr', schema: HR_SCHEMA, statements: HR_STATEMENTS, questions: HR_QUESTIONS, minRight: 60 },
  { name: 'saas', schema: SAAS_SCHEMA, statements: SAAS_STATEMENTS, questions: SAAS_QUESTIONS, minRight: 60 },
  {
    name: 'freight',
    schema: FREIGHT_SCHEMA,
    statements: FREIGHT_STATEMENTS,
    questions: FREIGHT_QUESTIONS,
    minRight: 60,
  },
  {
    name: 'library',
    schema: LIBRARY_SCHEMA,
    statements: LIBRARY_STATEMENTS,
    questions: LIBRARY_QUESTIONS,
    minRight: 60,
  },
  { name: 'hotel', schema: HOTEL_SCHEMA, statements: HOTEL_STATEMENTS, questions: HOTEL_QUESTIONS, minRight: 60 },
  {
    name: 'charity',
    schema: CHARITY_SCHEMA,
    statements: CHARITY_STATEMENTS,
    questions: CHARITY_QUESTIONS,
    minRight: 60,
  },
  { name: 'meters', schema: METERS_SCHEMA, statements: METERS_STATEMENTS, questions: METERS_QUESTIONS, minRight: 60 },
  {
    name: 'metrics',
    schema: METRIC_SCHEMA,
    statements: listSampleStatements(METRIC_SCHEMA),
    questions: METRIC_QUESTIONS,
    minRight: 80,
    metrics: METRICS,
  },
  { name: 'video', schema: VIDEO_SCHEMA, statements: VIDEO_STATEMENTS, questions: VIDEO_QUESTIONS, minRight: 60 },
  {
    name: 'rentals',
    schema: 'estate',
    statements: RENTALS_STATEMENTS,
    questions: RENTALS_QUESTIONS,
    minRight: 60,
  },
  {
    name: 'delivery',
    schema: 'food',
    statements: DELIVERY_STATEMENTS,
    questions: DELIVERY_QUESTIONS,
    minRight: 60,
  },
  {
    name: 'insurance',
    schema: 'cover',
    statements: INSURANCE_STATEMENTS,
    questions: INSURANCE_QUESTIONS,
    minRight: 60,
  },
  { name: 'league', schema: 'league', statements: LEAGUE_STATEMENTS, questions: LEAGUE_QUESTIONS, minRight: 60 },
  { name: 'airport', schema: 'ops', statements: AIRPORT_STATEMENTS, questions: AIRPORT_QUESTIONS, minRight: 60 },
  { name: 'bank', schema: 'bank', statements: BANK_STATEMENTS, questions: BANK_QUESTIONS, minRight: 60 },
  { name: 'brewery', schema: 'brew', statements: BREWERY_STATEMENTS, questions: BREWERY_QUESTIONS, minRight: 60 },
  { name: 'cityworks', schema: 'city', statements: CITYWORKS_STATEMENTS, questions: CITYWORKS_QUESTIONS, minRight: 60 },
  { name: 'gym', schema: 'gym', statements: GYM_STATEMENTS, questions: GYM_QUESTIONS, minRight: 60 },
  { name: 'farm', schema: 'farm', statements: FARM_STATEMENTS, questions: FARM_QUESTIONS, minRight: 60 },
  { name: 'lawfirm', schema: 'firm', statements: LAWFIRM_STATEMENTS, questions: LAWFIRM_QUESTIONS, minRight: 60 },
  { name: 'museum', schema: 'museum', statements: MUSEUM_STATEMENTS, questions: MUSEUM_QUESTIONS, minRight: 60 },
  { name: 'plant', schema: 'plant', statements: PLANT_STATEMENTS, questions: PLANT_QUESTIONS, minRight: 60 },
  { name: 'trials', schema: 'ctms', statements: TRIALS_STATEMENTS, questions: TRIALS_QUESTIONS, minRight: 60 },
  { name: 'sensors', schema: 'iot', statements: SENSORS_STATEMENTS, questions: SENSORS_QUESTIONS, minRight: 60 },
  { name: 'fleet', schema: 'fuhrpark', statements: FLEET_STATEMENTS, questions: FLEET_QUESTIONS, minRight: 60 },
  { name: 'court', schema: 'court', statements: COURT_STATEMENTS, questions: COURT_QUESTIONS, minRight: 60 },
  { name: 'podcast', schema: 'pod', statements: PODCAST_STATEMENTS, questions: PODCAST_QUESTIONS, minRight: 60 },
  { name: 'grants', schema: 'fdn', statements: GRANTS_STATEMENTS, questions: GRANTS_QUESTIONS, minRight: 60 },
  { name: 'tierheim', schema: 'heim', statements: TIERHEIM_STATEMENTS, questions: TIERHEIM_QUESTIONS, minRight: 60 },
  { name: 'harbour', schema: 'port', statements: HARBOUR_STATEMENTS, questions: HARBOUR_QUESTIONS, minRight: 60 },
  {
    name: 'musikschule',
    schema: 'musik',
    statements: MUSIKSCHULE_STATEMENTS,
    questions: MUSIKSCHULE_QUESTIONS,
    minRight: 60,
  },
  { name: 'camping', schema: 'camp', statements: CAMPING_STATEMENTS, questions: CAMPING_QUESTIONS, minRight: 60 },
  { name: 'crm', schema: 'sales_crm', statements: CRM_STATEMENTS, questions: CRM_QUESTIONS, minRight: 60 },
  { name: 'handwerk', schema: 'betrieb', statements: HANDWERK_STATEMENTS, questions: HANDWERK_QUESTIONS, minRight: 60 },
  { name: 'telecom', schema: 'tel', statements: TELECOM_STATEMENTS, questions: TELECOM_QUESTIONS, minRight: 60 },
  { name: 'wholesale', schema: 'erp', statements: WHOLESALE_STATEMENTS, questions: WHOLESALE_QUESTIONS, minRight: 60 },
  { name: 'auction', schema: 'auc', statements: AUCTION_STATEMENTS, questions: AUCTION_QUESTIONS, minRight: 60 },
  {
    name: 'maintenance',
    schema: 'pm',
    statements: MAINTENANCE_STATEMENTS,
    questions: MAINTENANCE_QUESTIONS,
    minRight: 60,
  },
  { name: 'kino', schema: 'kino', statements: KINO_STATEMENTS, questions: KINO_QUESTIONS, minRight: 60 },
  { name: 'esports', schema: 'esp', statements: ESPORTS_STATEMENTS, questions: ESPORTS_QUESTIONS, minRight: 60 },
  { name: 'baeckerei', schema: 'bk', statements: BAECKEREI_STATEMENTS, questions: BAECKEREI_QUESTIONS, minRight: 60 },
]
