import type { ConnectorContext } from '@trellis/connector-kit/context'
import type { PostgresAddress } from '../shared/postgres/address.ts'
import { connectionForma, readConnection } from '../shared/connection-forma.ts'

export const setupForma = connectionForma({ code: 'postgresql', title: 'PostgreSQL', port: 5432 })

export const addressOf = ({ values }: ConnectorContext): PostgresAddress => readConnection(values)
