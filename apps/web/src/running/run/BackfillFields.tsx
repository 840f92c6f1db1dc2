import { HistoricDateRange } from '@trellis/contract/formas/historic-date-range'
import * as z from 'zod/mini'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import DateRangeElement from '../../formas/elements/DateRangeElement.tsx'
import { FormaFields } from '../../formas/FormaFields.tsx'
import { SurroundingsProvider } from '../../formas/surroundings.ts'
import type { FormaForm } from '../../formas/use-forma.ts'

interface BackfillFieldsProps {
  address: WorkspaceAddress
  form: FormaForm | null
  range: HistoricDateRange | undefined
  error: string | undefined
  isDisabled: boolean
  onRange: (range: HistoricDateRange | undefined) => void
}

export function BackfillFields({ address, form, range, error, isDisabled, onRange }: BackfillFieldsProps) {
  return (
    <>
      <DateRangeElement
        element={{
          reference: 'window',
          order: 0,
          label: 'Days to read',
          help: 'At most five years back, and not in the future.',
          data_type: 'date_range',
          type: 'historic_date_range',
          properties: {},
        }}
        name="window"
        value={range}
        error={error}
        isOptional={false}
        isDisabled={isDisabled}
        isKept={false}
        onChange={(value) => {
          const parsed = z.safeParse(HistoricDateRange, value)
          onRange(parsed.success ? parsed.data : undefined)
        }}
        onTouch={() => undefined}
        onReplace={() => undefined}
      />
      {form && (
        <SurroundingsProvider value={{ address, integration: null }}>
          <FormaFields form={form} isDisabled={isDisabled} />
        </SurroundingsProvider>
      )}
    </>
  )
}
