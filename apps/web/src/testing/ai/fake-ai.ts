import type { ActionItem } from '@trellis/contract/actions/actions.schemas'
import type {
  AiProject,
  AiProjectTables,
  BusinessContext,
  ConversationLine,
  Feedback,
  Message,
  SuggestedQuestion,
} from '@trellis/contract/ai/ai.schemas'
import type { Document } from '@trellis/contract/ai/documents.schemas'
import type { AiModel } from '@trellis/contract/ai/models.schemas'
import type { ScheduledQuestion } from '@trellis/contract/ai/scheduled-questions.schemas'
import type { MessagePart, QueryAccount } from '@trellis/contract/ai/message-parts.schemas'
import { FAKE_DATABASE } from '../fake-explorer.ts'
import { fakeModel } from './fake-model.ts'

type FakeTable = AiProjectTables['tables'][number]

export interface FakeAi {
  projects: AiProject[]
  tables: FakeTable[]
  contexts: BusinessContext[]
  conversations: ConversationLine[]
  messages: Message[]
  feedback: Record<string, Feedback>
  sent: { text: string; choices?: Record<string, string>; engine?: 'rules' | 'model' }[]
  answers: MessagePart[][]
  actions: ActionItem[]
  documents: Document[]
  model: AiModel
  scheduled: ScheduledQuestion[]
  suggestions: SuggestedQuestion[]
  /** Null for no limit. */
  creditsLeft: number | null
}

const AT = '2026-11-16T09:00:00.000Z'

const fakeTable = (table_name: string, is_chosen: boolean): FakeTable => ({
  schema_name: 'shop',
  table_name,
  kind: 'table',
  is_chosen,
})

export const fakeMessage = (code: string, change: Partial<Message> = {}): Message => ({
  message_trellis_code: code,
  conversation_trellis_code: 'chat1',
  role: 'assistant',
  status: 'completed',
  text: '',
  parts: [],
  sha: code.padEnd(64, '0').slice(0, 64),
  credits_spent: 0,
  rating: null,
  created_at: AT,
  finished_at: AT,
  ...change,
})

export const fakeQueryAccount = (change: Partial<QueryAccount> = {}): QueryAccount => ({
  role: 'tables',
  tables: [{ schema_name: 'shop', table_name: 'orders' }],
  estimated_cost: 61.4,
  estimated_rows: 3,
  max_cost: 1_000_000,
  max_rows: 1000,
  max_bytes: 1_048_576,
  timeout_ms: 15_000,
  rows: 2,
  cut_at: null,
  duration_ms: 12,
  refusal: null,
  ...change,
})

export const SQL = 'select status, sum(amount) as total from shop.orders group by status'

export function createAnswerParts(): MessagePart[] {
  return [
    { kind: 'engine', id: '0', engine: 'rules', model: null },
    {
      kind: 'step',
      id: '1',
      tool: 'read_catalogue',
      title: 'Reading the tables of this project',
      status: 'completed',
      detail: '1 table',
      duration_ms: 21,
    },
    {
      kind: 'reading',
      id: '2',
      summary: 'Total amount by status',
      chips: [
        {
          id: 'measure.0',
          kind: 'measure',
          label: 'total amount',
          words: 'amount',
          value: 'sum amount',
          options: [
            { value: 'sum amount', label: 'total amount' },
            { value: 'avg amount', label: 'average amount' },
          ],
        },
        {
          id: 'group.0',
          kind: 'group',
          label: 'status',
          words: 'status',
          value: 'status',
          options: [
            { value: 'status', label: 'status' },
            { value: 'none', label: 'Do not group' },
          ],
        },
      ],
      ignored_words: ['please'],
      confidence: 0.9,
    },
    { kind: 'sql', id: '3', integration_trellis_code: FAKE_DATABASE, sql: SQL, account: fakeQueryAccount() },
    {
      kind: 'table',
      id: '4',
      columns: [
        { name: 'status', type: 'text', kind: 'text' },
        { name: 'total', type: 'numeric', kind: 'decimal' },
      ],
      rows: [
        ['paid', '900.50'],
        ['open', '100.00'],
      ],
      is_cut: false,
    },
    {
      kind: 'sources',
      id: '5',
      tables: [
        {
          schema_name: 'shop',
          table_name: 'orders',
          integration_trellis_code: FAKE_DATABASE,
          rows_estimate: 2500,
          loaded_at: AT,
        },
      ],
      contexts: [],
    },
    { kind: 'follow_ups', id: '6', questions: ['total amount by month'] },
  ]
}

export function createAi(change: Partial<FakeAi> = {}): FakeAi {
  return {
    projects: [
      {
        project_trellis_code: 'sales',
        name: 'Sales',
        description: 'Orders of the shop.',
        table_count: 1,
        conversation_count: 1,
        created_at: AT,
        updated_at: AT,
      },
    ],
    tables: [fakeTable('customers', false), fakeTable('orders', true), fakeTable('order_items', false)],
    contexts: [],
    conversations: [
      {
        conversation_trellis_code: 'chat1',
        project_trellis_code: 'sales',
        name: 'Amount by status',
        message_count: 2,
        created_at: AT,
        updated_at: AT,
      },
    ],
    messages: [
      fakeMessage('q1', { role: 'user', text: 'total amount by status please' }),
      fakeMessage('a1', { parts: createAnswerParts() }),
    ],
    feedback: {},
    sent: [],
    answers: [],
    actions: [],
    documents: [],
    model: fakeModel(),
    scheduled: [],
    suggestions: [],
    creditsLeft: null,
    ...change,
  }
}
