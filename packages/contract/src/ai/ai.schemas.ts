import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleName, visibleText } from '../core/visible-text.ts'
import { DatabaseParams, IntegrationCode } from '../explorer/explorer.schemas.ts'
import { ObjectName } from '../explorer/names.ts'
import { MessagePart } from './message-parts.schemas.ts'

export const AI_PAGE = 50
export const MAX_QUESTION = 4000
const MAX_TABLES = 500

const Code = z.string().check(z.regex(/^[a-z0-9]{1,40}$/))
const Name = z
  .string({ error: 'Name is required' })
  .check(z.trim(), z.minLength(1, 'Name is required'), z.maxLength(200), visibleName)
const Text = z.string().check(z.maxLength(20_000), visibleText)

export const ConversationParams = z.extend(WorkspaceParams, { conversation_trellis_code: Code })
export const MessageParams = z.extend(WorkspaceParams, { message_trellis_code: Code })
export const AnswerParams = z.extend(ConversationParams, { message_trellis_code: Code })
/** `0` for a client that has no state yet. */
export const UpdateParams = z.extend(AnswerParams, { message_sha: z.string().check(z.regex(/^(0|[0-9a-f]{64})$/)) })
export const ProjectParams = z.extend(WorkspaceParams, { project_trellis_code: Code })
export const ProjectTablesParams = z.extend(DatabaseParams, { project_trellis_code: Code })
export const ContextParams = z.extend(WorkspaceParams, { context_trellis_code: Code })

const Page = z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000)))
export const PageQuery = z.object({ page: Page })
const createPageSchema = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ items: z.array(item), page: z.int(), pages: z.int(), total: z.int() })

export const AiProject = z.object({
  project_trellis_code: z.string(),
  name: z.string(),
  description: z.string(),
  table_count: z.int(),
  conversation_count: z.int(),
  created_at: Instant,
  updated_at: Instant,
})
export type AiProject = z.infer<typeof AiProject>
export const AiProjects = createPageSchema(AiProject)
/** Verified questions first, then questions generated from the columns. */
export const StarterQuestions = z.object({ questions: z.array(z.string()) })
export const SuggestedQuestion = z.object({
  question: z.string(),
  sql: z.string(),
  integration_trellis_code: z.string(),
  runs: z.int(),
  people: z.int(),
})
export type SuggestedQuestion = z.infer<typeof SuggestedQuestion>
export const SuggestedQuestions = z.object({ suggestions: z.array(SuggestedQuestion), days: z.int() })
export const AiProjectCreate = z.object({ name: Name, description: z._default(Text, '') })
export const AiProjectPatch = z.object({ name: z.optional(Name), description: z.optional(Text) })

export const AiProjectTables = z.object({
  integration_trellis_code: z.string(),
  tables: z.array(
    z.object({
      schema_name: z.string(),
      table_name: z.string(),
      /** `missing`: the table was chosen and no longer exists. */
      kind: z.enum(['table', 'partitioned_table', 'view', 'materialized_view', 'foreign_table', 'missing']),
      is_chosen: z.boolean(),
    }),
  ),
})
export type AiProjectTables = z.infer<typeof AiProjectTables>
export const UpdateProjectTablesRequest = z.object({
  tables: z.array(z.object({ schema_name: ObjectName, table_name: ObjectName })).check(z.maxLength(MAX_TABLES)),
})

/**
 * `synonym`: `text` lists other words for `name`, comma-separated. `metric`: `sql` is the expression, such as
 * `sum(orders.total)`.
 */
const ContextKind = z.enum(['text', 'synonym', 'verified_question', 'metric'])
type ContextKind = z.infer<typeof ContextKind>
export const BusinessContext = z.object({
  context_trellis_code: z.string(),
  /** Null: applies to the whole workspace. */
  project_trellis_code: z.nullable(z.string()),
  kind: ContextKind,
  name: z.string(),
  text: z.string(),
  sql: z.nullable(z.string()),
  integration_trellis_code: z.nullable(z.string()),
  problem: z.nullable(z.string()),
  created_at: Instant,
  updated_at: Instant,
})
export type BusinessContext = z.infer<typeof BusinessContext>
export const BusinessContexts = createPageSchema(BusinessContext)
const Sql = z.string().check(z.minLength(1), z.maxLength(50_000))
export const CreateBusinessContextRequest = z.object({
  project_trellis_code: z.optional(Code),
  kind: z._default(ContextKind, 'text'),
  name: Name,
  text: z._default(Text, ''),
  sql: z.optional(Sql),
  integration_trellis_code: z.optional(IntegrationCode),
})
export type CreateBusinessContextRequest = z.infer<typeof CreateBusinessContextRequest>
export const UpdateBusinessContextRequest = z.object({
  name: z.optional(Name),
  text: z.optional(Text),
  sql: z.optional(Sql),
})
export type UpdateBusinessContextRequest = z.infer<typeof UpdateBusinessContextRequest>

export const MessageStatus = z.enum(['creating', 'responding', 'completed', 'failed', 'cancelled'])
export type MessageStatus = z.infer<typeof MessageStatus>

const FeedbackReason = z.enum([
  'wrong_numbers',
  'wrong_table',
  'misread_question',
  'missing_data',
  'too_slow',
  'hard_to_read',
  'other',
])
export const Feedback = z.object({
  rating: z.nullable(z.enum(['up', 'down'])),
  reasons: z.array(FeedbackReason),
  comment: z.string(),
})
export type Feedback = z.infer<typeof Feedback>
export const UserFeedbackRequest = z.object({
  rating: z.nullable(z.enum(['up', 'down'])),
  reasons: z._default(z.array(FeedbackReason).check(z.maxLength(7)), []),
  comment: z._default(Text, ''),
})

export const Message = z.object({
  message_trellis_code: z.string(),
  conversation_trellis_code: z.string(),
  role: z.enum(['user', 'assistant']),
  status: MessageStatus,
  text: z.string(),
  parts: z.array(MessagePart),
  /** Hash of status and parts: changes with every update. */
  sha: z.string(),
  credits_spent: z.int(),
  rating: z.nullable(z.enum(['up', 'down'])),
  created_at: Instant,
  finished_at: z.nullable(Instant),
})
export type Message = z.infer<typeof Message>

export const ConversationLine = z.object({
  conversation_trellis_code: z.string(),
  project_trellis_code: z.string(),
  name: z.string(),
  message_count: z.int(),
  created_at: Instant,
  updated_at: Instant,
})
export type ConversationLine = z.infer<typeof ConversationLine>
export const Conversations = createPageSchema(ConversationLine)
export const ConversationsQuery = z.object({
  project_trellis_code: z.optional(Code),
  search: z.optional(z.string().check(z.maxLength(200))),
  page: Page,
})
export type ConversationsQuery = z.infer<typeof ConversationsQuery>
/** Messages of one page, oldest first. The last page is the newest, and the default. */
export const Conversation = z.extend(ConversationLine, { messages: z.array(Message), page: z.int(), pages: z.int() })
export const ConversationMetadata = z.extend(ConversationLine, {
  project_name: z.string(),
  table_count: z.int(),
  /** Which engine would answer now, and what an answer costs. A failed or cancelled answer costs nothing. */
  engine: z.enum(['rules', 'model']),
  model: z.nullable(z.string()),
  credits_per_answer: z.int(),
})
export type ConversationMetadata = z.infer<typeof ConversationMetadata>
export const CreateConversationRequest = z.object({
  project_trellis_code: Code,
  name: z.optional(Name),
})
export const UpdateConversationNameRequest = z.object({ name: Name })
export const UserMessageRequest = z.object({
  text: z
    .string({ error: 'Write a question' })
    .check(z.trim(), z.minLength(1, 'Write a question'), z.maxLength(MAX_QUESTION), visibleText),
  /** The chosen value of each changed chip, by the chip's id. */
  choices: z.optional(z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(500)))),
  /** `rules` never uses the model and costs nothing. By default the model answers when one is connected. */
  engine: z.optional(z.enum(['rules', 'model'])),
})
export type UserMessageRequest = z.infer<typeof UserMessageRequest>
export const SentMessage = z.object({ question: Message, answer: Message })
/** `message` is null when nothing changed within one long poll. */
export const MessageUpdate = z.object({ sha: z.string(), message: z.nullable(Message) })
export type MessageUpdate = z.infer<typeof MessageUpdate>
