import { COLUMN_TYPE_NAMES } from '@trellis/contract/explorer/column-types'
import type { RestCursor, RestPaginator, RestPartition } from '@trellis/contract/integrations/rest-manifest'
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../ui/actions/Button.tsx'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { Checkbox } from '../../ui/forms/Choices.tsx'
import { TextArea } from '../../ui/forms/TextField.tsx'
import styles from './builder.module.css'
import { DraftList, DraftNumber, DraftPairs, DraftSelect, DraftText, Part, readNames } from './DraftFields.tsx'
import { JsonText } from './JsonText.tsx'
import type { Draft } from './use-draft.ts'

export function StreamPart({ draft, index }: { draft: Draft; index: number }) {
  const path = `streams.${index}`
  const stream = draft.manifest.streams[index]
  if (!stream) return null
  const isPost = stream.request.method === 'POST'
  return (
    <>
      <Part title="Request">
        <div className={styles.row}>
          <DraftText isMono draft={draft} path={`${path}.name`} label="Name of the stream" placeholder="orders" />
          <DraftSelect draft={draft} path={`${path}.request.method`} label="Method" options={METHODS} />
        </div>
        <DraftText
          isMono
          draft={draft}
          path={`${path}.request.path`}
          label="Path"
          placeholder="/orders"
          hint="Added to the base URL."
        />
        <DraftPairs draft={draft} path={`${path}.request.query`} label="Parameters" one="parameter" />
        {isPost && (
          <JsonText
            label="Body"
            value={stream.request.body}
            onChange={(body) => draft.set(`${path}.request.body`, body)}
          />
        )}
      </Part>
      <Part title="Records">
        <DraftText
          isMono
          draft={draft}
          path={`${path}.records`}
          label="Where the records stand"
          placeholder="data.items"
          hint="Empty when the answer itself is the list. Run a test and click the list in the answer."
        />
        <DraftList
          isMono
          isOptional
          draft={draft}
          path={`${path}.key`}
          label="Key"
          placeholder="id"
          hint="Fields that identify a record, separated by commas."
          read={readNames}
        />
        <FieldsEditor draft={draft} path={path} />
      </Part>
      <PaginatorPart draft={draft} path={path} />
      <CursorPart draft={draft} path={path} cursor={stream.cursor} />
      <PartitionPart draft={draft} path={path} partition={stream.partition} />
    </>
  )
}

const METHODS = [
  { value: 'GET', label: 'GET' },
  { value: 'POST', label: 'POST' },
]

const PAGINATORS: Record<RestPaginator['type'], { label: string; start: RestPaginator }> = {
  none: { label: 'All in one answer', start: { type: 'none' } },
  page: { label: 'Page number', start: { type: 'page', parameter: 'page', first: 1, size: 100 } },
  offset: { label: 'Offset', start: { type: 'offset', parameter: 'offset', size: 100 } },
  cursor: { label: 'Token in the answer', start: { type: 'cursor', token: 'next', parameter: 'after' } },
  next_url: { label: 'Next address in the answer', start: { type: 'next_url', url: 'next' } },
  link_header: { label: 'Link header', start: { type: 'link_header' } },
}

function PaginatorPart({ draft, path: stream }: { draft: Draft; path: string }) {
  const path = `${stream}.paginate`
  const type = (draft.valueAt(`${path}.type`) as RestPaginator['type'] | undefined) ?? 'none'
  const isSized = type === 'page' || type === 'offset'
  return (
    <Part title="Next pages">
      <DraftSelect
        draft={draft}
        path={`${path}.type`}
        label="Pagination"
        options={Object.entries(PAGINATORS).map(([value, { label }]) => ({ value, label }))}
        onChoose={(value) => draft.set(path, PAGINATORS[value as RestPaginator['type']].start)}
      />
      {isSized && (
        <div className={styles.row}>
          <DraftText isMono draft={draft} path={`${path}.parameter`} label="Parameter" />
          {type === 'page' && <DraftNumber isOptional draft={draft} path={`${path}.first`} label="First page" />}
          <DraftNumber draft={draft} path={`${path}.size`} label="Records a page" />
          <DraftText isMono isOptional draft={draft} path={`${path}.size_parameter`} label="Parameter of the size" />
        </div>
      )}
      {type === 'cursor' && (
        <>
          <div className={styles.row}>
            <DraftText
              isMono
              draft={draft}
              path={`${path}.token`}
              label="Token"
              hint="In the answer, or last_record.id."
            />
            <DraftText isMono draft={draft} path={`${path}.parameter`} label="Sent as" />
            <DraftSelect draft={draft} path={`${path}.in`} label="In" placeholder="Parameter" options={TOKEN_PLACES} />
          </div>
          <div className={styles.row}>
            <DraftText
              isMono
              isOptional
              draft={draft}
              path={`${path}.has_more`}
              label="Field that says there is more"
            />
            <DraftText isMono isOptional draft={draft} path={`${path}.size_parameter`} label="Parameter of the size" />
            <DraftNumber isOptional draft={draft} path={`${path}.size`} label="Records a page" />
          </div>
        </>
      )}
      {type === 'next_url' && <DraftText isMono draft={draft} path={`${path}.url`} label="Path of the next address" />}
    </Part>
  )
}

const TOKEN_PLACES = [{ value: 'body', label: 'Body' }]

const NEW_CURSOR: RestCursor = {
  field: 'updated_at',
  kind: 'datetime',
  format: 'iso',
  start_parameter: 'updated_since',
}

function CursorPart({ draft, path: stream, cursor }: { draft: Draft; path: string; cursor: RestCursor | undefined }) {
  const path = `${stream}.cursor`
  return (
    <Part title="Incremental sync">
      <Checkbox
        label="Later runs read only new and changed records"
        checked={cursor !== undefined}
        onChange={() => draft.set(path, cursor ? undefined : NEW_CURSOR)}
      />
      {cursor && (
        <>
          <div className={styles.row}>
            <DraftText isMono draft={draft} path={`${path}.field`} label="Field" />
            <DraftSelect draft={draft} path={`${path}.kind`} label="Kind" options={CURSOR_KINDS} />
            <DraftSelect draft={draft} path={`${path}.format`} label="Written as" options={CURSOR_FORMATS} />
          </div>
          <div className={styles.row}>
            <DraftText isMono isOptional draft={draft} path={`${path}.start_parameter`} label="From, parameter" />
            <DraftText isMono isOptional draft={draft} path={`${path}.end_parameter`} label="To, parameter" />
            <DraftText isMono isOptional draft={draft} path={`${path}.start`} label="First read begins at" />
          </div>
          <div className={styles.row}>
            <DraftNumber isOptional draft={draft} path={`${path}.step_days`} label="Days in one request" />
            <DraftNumber isOptional draft={draft} path={`${path}.lookback_days`} label="Days read again" />
          </div>
        </>
      )}
    </Part>
  )
}

const CURSOR_KINDS = [
  { value: 'datetime', label: 'Moment' },
  { value: 'date', label: 'Day' },
  { value: 'number', label: 'Number' },
]
const CURSOR_FORMATS = [
  { value: 'iso', label: '2026-01-31T10:00:00Z' },
  { value: 'date', label: '2026-01-31' },
  { value: 'unix', label: 'Seconds since 1970' },
  { value: 'unix_ms', label: 'Milliseconds since 1970' },
  { value: 'number', label: 'Number' },
]

function PartitionPart({
  draft,
  path: stream,
  partition,
}: {
  draft: Draft
  path: string
  partition: RestPartition | undefined
}) {
  const path = `${stream}.partition`
  const own = draft.valueAt(`${stream}.name`)
  const others = draft.manifest.streams.map(({ name }) => name).filter((name) => name !== own)
  const choose = (type: string) => {
    if (type === 'list') draft.set(path, { type, values: [''] })
    else if (type === 'parent') draft.set(path, { type, stream: others[0] ?? '', field: 'id' })
    else draft.set(path, undefined)
  }
  return (
    <Part title="Once for each" hint="The request runs for every value, which it names as {{ partition }}.">
      <DraftSelect
        draft={draft}
        path={`${path}.type`}
        label="Of what"
        placeholder="Nothing: one request"
        options={[
          { value: 'list', label: 'Values I list' },
          { value: 'parent', label: 'Records of another stream', isDisabled: others.length === 0 },
        ]}
        onChoose={choose}
      />
      {partition?.type === 'list' && (
        <TextArea
          label="Values"
          hint="One in each line."
          value={partition.values.join('\n')}
          error={draft.faultAt(`${path}.values`)}
          onChange={(event) => draft.set(`${path}.values`, event.target.value.split('\n'))}
        />
      )}
      {partition?.type === 'parent' && (
        <div className={styles.row}>
          <DraftSelect
            draft={draft}
            path={`${path}.stream`}
            label="Stream"
            options={others.map((name) => ({ value: name, label: name }))}
          />
          <DraftText isMono draft={draft} path={`${path}.field`} label="Field" />
        </div>
      )}
    </Part>
  )
}

function FieldsEditor({ draft, path }: { draft: Draft; path: string }) {
  const fields = (draft.valueAt(`${path}.fields`) as { name: string }[] | undefined) ?? []
  const types = COLUMN_TYPE_NAMES.map((name) => ({ value: name, label: name }))
  return (
    <fieldset className={styles.pairs}>
      <legend>Fields</legend>
      <p className={styles.hint}>
        {fields.length === 0 ? 'Found out from the records. Add them to fix names and types.' : 'Only these are read.'}
      </p>
      {fields.map((_, row) => (
        <div key={row} className={styles.line}>
          <DraftText isMono draft={draft} path={`${path}.fields.${row}.name`} label={`Field ${row + 1}`} />
          <DraftSelect draft={draft} path={`${path}.fields.${row}.type`} label="Type" options={types} />
          <DraftText isMono isOptional draft={draft} path={`${path}.fields.${row}.path`} label="Path" />
          <IconButton
            label={`Remove field ${row + 1}`}
            icon={<Trash2 aria-hidden />}
            onClick={() => draft.set(`${path}.fields`, fields.length === 1 ? undefined : fields.toSpliced(row, 1))}
          />
        </div>
      ))}
      <Button
        size="sm"
        variant="ghost"
        icon={<Plus aria-hidden />}
        onClick={() => draft.set(`${path}.fields`, [...fields, { name: '', type: 'text' }])}
      >
        Add field
      </Button>
    </fieldset>
  )
}
