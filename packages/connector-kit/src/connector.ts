import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import type { PLATFORM_TAGS } from '@trellis/contract/integrations/integrations.schemas'
import type { Batch, Field, ReadState } from './batch.ts'
import type { ChangeLog } from './change-log.ts'
import type { ConnectorContext } from './context.ts'

export interface ReadRequest {
  readonly query: FormaValues
  /** Checkpoint to resume from, or `SourceChanged` if that is impossible. Without it everything is read. */
  readonly state?: ReadState
  readonly window?: { readonly from: string; readonly to: string }
  /** For previews; the source should fetch no more than it must. */
  readonly limit?: number
  /** Column types that are already decided, which saves inferring them from all values. */
  readonly types?: Readonly<Record<string, ColumnType>>
  readonly found?: unknown
  /** Whether the reading may be provisional (`Reading.isProvisional`). */
  readonly allowsProvisional?: boolean
  /** In the order of the key where possible, even if reading in parallel is faster: appending to its index is cheap. */
  readonly isInKeyOrder?: boolean
}

export interface Reading {
  readonly fields: readonly Field[]
  readonly key: readonly string[]
  readonly cursor: string | null
  /** Ending the iteration early ends the read. The last batch carries the next run's checkpoint. */
  readonly batches: AsyncIterable<Batch>
  /** The fields come from a sample: others may exist. */
  readonly isSampled?: boolean
  /**
   * The fields come from the first records: no checkpoint before the last batch, and `FieldsRevised` if they change.
   */
  readonly isProvisional?: boolean
  /** Costly findings, such as inferred types, to be passed to the next reading. */
  readonly found?: unknown
}

export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

export interface TableListing {
  readonly schemas: readonly {
    readonly name: string
    readonly tables: readonly { readonly name: string; readonly kind: 'table' | 'view'; readonly rows: number | null }[]
    readonly is_cut: boolean
  }[]
}

export interface DatabaseLink {
  /** Whether the integration allows SQL writes and row edits. */
  readonly allowsWriting: boolean
  readonly client: object
  run(text: string): Promise<void>
  /** Streams `copy … to stdout` in pieces of whole lines; resolves to the number of rows. */
  copyOut(
    text: string,
    options: { hasHeader: boolean },
  ): AsyncGenerator<{ readonly bytes: Uint8Array; readonly rowCount: number }, number, undefined>
  cancel(): Promise<void>
  close(): Promise<void>
}

export interface Source {
  readonly queryFormas: readonly Forma[]
  read(context: ConnectorContext, request: ReadRequest): Promise<Reading>
  buildQuery(subtask: string): FormaValues
  readonly changeLog?: ChangeLog
}

export type Strategy = 'Append' | 'Replace' | 'Upsert'

export interface WriteRequest {
  readonly query: FormaValues
  readonly fields: readonly Field[]
  readonly key: readonly string[]
  readonly strategy: Strategy
  /** The same for every attempt of a load: the idempotency key of its writes. */
  readonly loadId: string
}

export interface Writer {
  /** Batches that an earlier attempt committed; they are not sent again. */
  readonly committedBatches: number
  write(batch: Batch): Promise<void>
  finish(): Promise<{ rows: number }>
  /** Restores the destination, as far as the platform allows. */
  abandon(): Promise<void>
}

export interface Destination {
  readonly queryFormas: readonly Forma[]
  readonly strategies: readonly Strategy[]
  open(context: ConnectorContext, request: WriteRequest): Promise<Writer>
}

export interface OAuth {
  readonly provider: string
  readonly authorize: { readonly host: string; readonly path: string }
  readonly token: { readonly host: string; readonly path: string }
  readonly scopes: readonly string[]
  readonly parameters?: Readonly<Record<string, string>>
  readonly consentDays?: number
  /** Grant that exchanges the short-lived token (`parameter`) for a long-lived one. */
  readonly longLived?: { readonly grant: string; readonly parameter: string }
  readonly scopeSeparator?: string
  /** Extra parameters of the token request for an authorization code, not of a refresh. */
  readonly codeParameters?: Readonly<Record<string, string>>
  /** For providers with one host per customer. Throws a ConnectorError for an invalid name. */
  baseFor?(values: FormaValues): string
  /** Verifies the provider's signature on the callback. */
  verifyCallback?(query: Readonly<Record<string, string>>, signed: SignedCallback): Promise<boolean>
}

export interface SignedCallback {
  readonly values: FormaValues
  readonly clientSecret: string
}

/** Answers for the connector's hosts. Must be stateless: several processes simulate one platform. */
export type Simulator = (request: Request, host: string) => Promise<Response>

export interface Connector {
  readonly code: string
  readonly name: string
  readonly summary: string
  readonly tags: readonly (typeof PLATFORM_TAGS)[number][]
  readonly setupForma: Forma
  setupFormaFor?(values: FormaValues): Forma
  /** Base addresses by name; empty if the user enters the address. */
  readonly hosts: Readonly<Record<string, string>>
  readonly oauth?: OAuth
  /** Where secrets are sent, if the user chooses. A change requires entering them again, or they could be stolen. */
  secretsGoTo?(values: FormaValues): string
  /** Tests the connection without side effects. Throws a ConnectorError that says what to fix. */
  check(context: ConnectorContext): Promise<readonly { label: string; value: string }[]>
  options?(context: ConnectorContext, name: string, search: string): Promise<readonly Choice[]>
  tables?(context: ConnectorContext): Promise<TableListing>
  openDatabase?(context: ConnectorContext): Promise<DatabaseLink>
  readonly source?: Source
  readonly destination?: Destination
  judgeQuery?(query: string): { did_succeed: boolean; message: string }
  askAboutQuery?(context: ConnectorContext, query: string): Promise<{ did_succeed: boolean; message: string }>
  readonly simulator?: Simulator
  readonly usesOwnDatabase?: true
}

/** The setup forma for these values; use it instead of `setupForma`. */
export const resolveSetupForma = (connector: Connector, values: FormaValues): Forma =>
  connector.setupFormaFor?.(values) ?? connector.setupForma

export function defineConnector(connector: Connector): Connector {
  const { code, source, destination, tags, oauth, hosts } = connector
  const fault = (text: string) => new Error(`Connector ${code}: ${text}`)
  if (!/^[a-z0-9_]{1,40}$/.test(code)) throw fault('the code must be lower case letters, digits and underscores')
  if (!source && !destination) throw fault('it reads nothing and writes nothing')
  if (tags.includes('source') !== Boolean(source)) throw fault('the tag source and the part source go together')
  if (tags.includes('destination') !== Boolean(destination)) throw fault('the tag destination and the part go together')
  for (const place of oauth ? [oauth.authorize, oauth.token] : []) {
    if (!(place.host in hosts)) throw fault(`oauth names the host ${place.host}, which is not declared`)
    if (hosts[place.host] === '' && !oauth?.baseFor)
      throw fault(`the host ${place.host} is empty and oauth has no baseFor`)
  }
  return connector
}

/** A `secretsGoTo` that joins elements, each named `section.element`. */
export const joinElements =
  (...names: readonly string[]) =>
  (values: FormaValues): string =>
    JSON.stringify(
      names.map((name) => {
        const [section = '', element = ''] = name.split('.')
        return values[section]?.[element] ?? null
      }),
    )
