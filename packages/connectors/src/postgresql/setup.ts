import type { ConnectorContext } from '@trellis/connector-kit/context'
import type { Forma, FormaElement } from '@trellis/contract/formas/forma'
import type { PostgresAddress } from '../shared/postgres/address.ts'
import { buildConnectionForma, readConnection } from '../shared/connection-forma.ts'

const allowsWritingElement: FormaElement = {
  reference: 'allows_writing',
  order: 8,
  type: 'boolean',
  data_type: 'bool',
  is_optional: true,
  default: false,
  label: 'Allow writing from worksheets and the explorer',
  help: 'Otherwise SQL and the explorer only read this database. Dataflows that write to it do not need this.',
  properties: {},
}

const forma = buildConnectionForma({ code: 'postgresql', title: 'PostgreSQL', port: 5432 })

export const setupForma: Forma = {
  ...forma,
  sections: forma.sections.map((section) => ({ ...section, elements: [...section.elements, allowsWritingElement] })),
}

export const getAddress = ({ values }: ConnectorContext): PostgresAddress => readConnection(values)

export const allowsWriting = ({ values }: ConnectorContext): boolean =>
  values['connection']?.[allowsWritingElement.reference] === true
