import type { DeleteQueryBuilder, DeleteResult, InsertQueryBuilder, InsertResult, Insertable } from 'kysely'
import type { Kysely, SelectQueryBuilder, UpdateQueryBuilder, UpdateResult } from 'kysely'
import type { TenantDb } from './database.ts'
import type { ScopedTables, Tables } from './tables.ts'

type ScopedTable = keyof ScopedTables & string
type Row<T extends ScopedTable> = Omit<Insertable<ScopedTables[T]>, 'account_id'>

export interface AccountScope {
  readonly db: TenantDb
  readonly account: { readonly id: number }
}

// Kysely's types cannot follow a generic table name, so the overloads below declare them.
export interface WorkspaceScope extends AccountScope {
  readonly workspace: { readonly id: number }
}

const toUntypedDb = (scope: AccountScope) => scope.db as unknown as Kysely<{ t: { account_id: number } }>

/**
 * The only access to an account's rows: adds the account to every statement. Row-level security is the second defence;
 * this also makes the planner use the account's index.
 */
export function scoped<T extends ScopedTable>(scope: AccountScope, table: T): SelectQueryBuilder<Tables, T, object> {
  return toUntypedDb(scope)
    .selectFrom(table as 't')
    .where(`${table}.account_id` as 'account_id', '=', scope.account.id) as never
}

export function insertScoped<T extends ScopedTable>(
  scope: AccountScope,
  table: T,
  values: Row<T>,
): InsertQueryBuilder<Tables, T, InsertResult> {
  return toUntypedDb(scope)
    .insertInto(table as 't')
    .values({ ...values, account_id: scope.account.id }) as never
}

export function updateScoped<T extends ScopedTable>(
  scope: AccountScope,
  table: T,
): UpdateQueryBuilder<Tables, T, T, UpdateResult> {
  return toUntypedDb(scope)
    .updateTable(table as 't')
    .where(`${table}.account_id` as 'account_id', '=', scope.account.id) as never
}

export function deleteScoped<T extends ScopedTable>(
  scope: AccountScope,
  table: T,
): DeleteQueryBuilder<Tables, T, DeleteResult> {
  return toUntypedDb(scope)
    .deleteFrom(table as 't')
    .where(`${table}.account_id` as 'account_id', '=', scope.account.id) as never
}
