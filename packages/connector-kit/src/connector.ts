import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import type { PLATFORM_TAGS } from '@trellis/contract/integrations/integrations.schemas'
import type { Batch, Field, ReadState } from './batch.ts'
import type { ChangeLog } from './change-log.ts'
import type { ConnectorContext } from './context.ts'

export interface ReadRequest {
  /** Of the shape of the query forma. */
  readonly query: FormaValues
  /** Where an earlier read ended or was interrupted. Without it everything is read. */
  readonly state?: ReadState
  /** Only this stretch of the cursor, without touching the state: a backfill. */
  readonly window?: { readonly from: string; readonly to: string }
  /** Enough for a look; the source should fetch no more than it must. */
  readonly limit?: number
  /** What the fields are to be, by name, where that is settled: nobody has to look through all values for it. */
  readonly types?: Readonly<Record<string, ColumnType>>
  /** Of an earlier reading of the same query. */
  readonly found?: unknown
  /** The reading may be provisional. */
  readonly allowsProvisional?: boolean
}

export interface Reading {
  readonly fields: readonly Field[]
  /** Columns by which the platform tells its records apart. */
  readonly key: readonly string[]
  /** The column new and changed rows can be followed by. */
  readonly cursor: string | null
  /** Ends the read when left early. The last batch carries the state the next run begins with. */
  readonly batches: AsyncIterable<Batch>
  /** The fields are those of some records: one that is missing may be in others. */
  readonly isSampled?: boolean
  /**
   * The fields are those of the beginning. A reading with what was found here gives no state before its last batch, and ends in
   * `FieldsRevised` where the rest needs other fields.
   */
  readonly isProvisional?: boolean
  /** What was found out on the way, at some cost: handed to the next reading it need not be found out again. */
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

/** A signed-in connection to a PostgreSQL database, for whoever looks into its catalogue and rows. */
export interface DatabaseLink {
  /** Whether whoever connected it lets people change something in it with SQL or row edits. */
  readonly allowsWriting: boolean
  /** A client of the `pg` driver. */
  readonly client: object
  /** Statements whose answers nobody reads, in one message. */
  run(text: string): Promise<void>
  /** The lines of a `copy … to stdout`, a whole number of them in each piece; gives the number of rows. */
  copyOut(
    text: string,
    options: { hasHeader: boolean },
  ): AsyncGenerator<{ readonly bytes: Uint8Array; readonly rowCount: number }, number, undefined>
  /** Asks the server to end the statement that runs. */
  cancel(): Promise<void>
  close(): Promise<void>
}

export interface Source {
  readonly queryFormas: readonly Forma[]
  read(context: ConnectorContext, request: ReadRequest): Promise<Reading>
  /** The query a subtask's bare name stands for: a table, an object, a report. */
  buildQuery(subtask: string): FormaValues
  /** Tells what changed by the platform's own log. */
  readonly changeLog?: ChangeLog
}

export type Strategy = 'Append' | 'Replace' | 'Upsert'

export interface WriteRequest {
  readonly query: FormaValues
  readonly fields: readonly Field[]
  readonly key: readonly string[]
  readonly strategy: Strategy
  /** The same for every attempt of one load, so that a repeated one changes nothing twice. */
  readonly loadId: string
}

export interface Writer {
  /** Batches of this load that an earlier attempt committed; they are not sent again. */
  readonly committedBatches: number
  write(batch: Batch): Promise<void>
  /** Makes the load visible. */
  finish(): Promise<{ rows: number }>
  /** Leaves the destination as it was, as far as the platform allows. */
  abandon(): Promise<void>
}

export interface Destination {
  readonly queryFormas: readonly Forma[]
  readonly strategies: readonly Strategy[]
  open(context: ConnectorContext, request: WriteRequest): Promise<Writer>
}

export interface OAuth {
  /** What people call the consent page: Google, Meta, HubSpot. */
  readonly provider: string
  /** Addresses as `host name` and path, so that a simulator can stand in. */
  readonly authorize: { readonly host: string; readonly path: string }
  readonly token: { readonly host: string; readonly path: string }
  readonly scopes: readonly string[]
  readonly parameters?: Readonly<Record<string, string>>
  /** Days after which consent has to be given again. */
  readonly consentDays?: number
  /** The token that a code brings lasts for hours; this grant, with the token as `parameter`, brings one that lasts. */
  readonly longLived?: { readonly grant: string; readonly parameter: string }
  /** Between two scopes; a space unless the provider asks for something else. */
  readonly scopeSeparator?: string
  /** Sent with the exchange of the code, and only then. */
  readonly codeParameters?: Readonly<Record<string, string>>
  /** For hosts declared empty, where each customer has one of their own. Throws a ConnectorError for an invalid name. */
  baseFor?(values: FormaValues): string
  /** Whether the provider signed what the browser brought back from it. */
  verifyCallback?(query: Readonly<Record<string, string>>, signed: SignedCallback): Promise<boolean>
}

export interface SignedCallback {
  readonly values: FormaValues
  readonly clientSecret: string
}

/** Answers for one of the connector's hosts as the platform would. Keeps nothing: several processes stand in for one platform. */
export type Simulator = (request: Request, host: string) => Promise<Response>

export interface Connector {
  /** The platform's code on the wire; also the folder's name, with underscores. */
  readonly code: string
  readonly name: string
  readonly summary: string
  readonly tags: readonly (typeof PLATFORM_TAGS)[number][]
  readonly setupForma: Forma
  /** Where what is asked depends on what was entered: the forma for these values. Use `resolveSetupForma`. */
  setupFormaFor?(values: FormaValues): Forma
  /** Base addresses by name; empty where the person enters the address. */
  readonly hosts: Readonly<Record<string, string>>
  readonly oauth?: OAuth
  /**
   * Where secrets are sent, where that is the person's to say. Whoever changes it enters them again: otherwise a kept
   * secret could be sent to an address of somebody's own.
   */
  secretsGoTo?(values: FormaValues): string
  /** Cheap and harmless: can we get in, and what is there? Throws a ConnectorError that says what to fix. */
  check(context: ConnectorContext): Promise<readonly { label: string; value: string }[]>
  /** Choices behind `options_from` of a forma. */
  options?(context: ConnectorContext, name: string, search: string): Promise<readonly Choice[]>
  /** Schemas and tables, for platforms tagged `database`. */
  tables?(context: ConnectorContext): Promise<TableListing>
  /** The explorer can look into what it connects to. */
  openDatabase?(context: ConnectorContext): Promise<DatabaseLink>
  readonly source?: Source
  readonly destination?: Destination
  /** Judges a query in the platform's own language, by line and column. */
  judgeQuery?(query: string): { did_succeed: boolean; message: string }
  /** Asks the platform itself about a query that was judged right here, without running it. */
  askAboutQuery?(context: ConnectorContext, query: string): Promise<{ did_succeed: boolean; message: string }>
  readonly simulator?: Simulator
  readonly usesOwnDatabase?: true
}

/** The forma that holds for these values, wherever values are checked, kept, shown or told apart from secrets. */
export const resolveSetupForma = (connector: Connector, values: FormaValues): Forma =>
  connector.setupFormaFor?.(values) ?? connector.setupForma

/** Checks what types can't: a mistake here fails when the product starts, not when somebody connects. */
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

/** For `secretsGoTo`: the address is what these elements hold, named as `section.element`. */
export const addressFrom =
  (...names: readonly string[]) =>
  (values: FormaValues): string =>
    JSON.stringify(
      names.map((name) => {
        const [section = '', element = ''] = name.split('.')
        return values[section]?.[element] ?? null
      }),
    )
