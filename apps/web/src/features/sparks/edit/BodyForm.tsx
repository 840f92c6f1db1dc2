import { MAX_SPARK_BLOCKS, type SparkBody, type SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { CodeEditor } from '../../../ui/editor/CodeEditor.tsx'
import { RadioGroup } from '../../../ui/forms/Choices.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { BlockFields } from './BlockFields.tsx'
import { BLOCK_NAMES, type BlockKind, createBlock, moveItem } from './block-forms.ts'
import styles from './edit.module.css'

const FIRST_CODE = `const { rows, columns, objects } = await spark.rows(spark.sources[0])
const box = document.createElement('div')
spark.root.append(box)
spark.render(box, { kind: 'table', source: spark.sources[0] })
`

interface BodyFormProps {
  content: SparkContent
  columns: Readonly<Record<string, readonly ResultColumn[]>>
  onChange: (body: SparkBody) => void
}

export function BodyForm({ content, columns, onChange }: BodyFormProps) {
  const { body } = content
  const [requestedKind, setRequestedKind] = useState<SparkBody['kind'] | null>(null)
  const isEmpty = body.kind === 'code' ? body.code.trim() === '' : body.blocks.length === 0
  const turnTo = (kind: SparkBody['kind']) =>
    onChange(kind === 'code' ? { kind, code: FIRST_CODE } : { kind, blocks: [] })
  return (
    <div className={styles.parts}>
      <RadioGroup
        label="Made of"
        value={body.kind}
        onChange={(kind) =>
          isEmpty
            ? turnTo(kind as SparkBody['kind'])
            : kind !== body.kind && setRequestedKind(kind as SparkBody['kind'])
        }
        options={[
          { value: 'blocks', label: 'Blocks', hint: 'Charts, tables and numbers by form' },
          { value: 'code', label: 'Code', hint: 'JavaScript with the same components, without network' },
        ]}
      />
      {body.kind === 'code' ? (
        <CodeEditor
          label="Code of the spark"
          language="javascript"
          height={420}
          value={body.code}
          onChange={(code) => onChange({ kind: 'code', code })}
        />
      ) : (
        <Blocks content={content} body={body} columns={columns} onChange={onChange} />
      )}
      {requestedKind !== null && (
        <ConfirmDialog
          title={requestedKind === 'code' ? 'Change to code?' : 'Change to blocks?'}
          confirmLabel="Change"
          onClose={() => setRequestedKind(null)}
          onConfirm={() => {
            turnTo(requestedKind)
            setRequestedKind(null)
          }}
        >
          <p>
            {requestedKind === 'code' ? 'The blocks' : 'The code'} of this draft are replaced. Earlier versions keep
            them.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

interface BlocksProps extends BodyFormProps {
  body: Extract<SparkBody, { kind: 'blocks' }>
}

function Blocks({ content, body, columns, onChange }: BlocksProps) {
  const { blocks } = body
  const set = (next: typeof blocks) => onChange({ kind: 'blocks', blocks: next })
  const [first] = content.sources
  const add = (kind: BlockKind) =>
    set([...blocks, createBlock(kind, { source: first?.key ?? '', columns: columns[first?.key ?? ''] ?? [] })])
  return (
    <>
      <ol className={styles.blocks}>
        {blocks.map((block, position) => (
          <li key={position} className={styles.part} aria-label={`Block ${position + 1}: ${BLOCK_NAMES[block.kind]}`}>
            <div className={styles.blockHead}>
              <strong>
                {position + 1}. {BLOCK_NAMES[block.kind]}
              </strong>
              <IconButton
                size="sm"
                label={`Move block ${position + 1} up`}
                icon={<ArrowUp aria-hidden />}
                disabled={position === 0}
                onClick={() => set(moveItem(blocks, position, position - 1))}
              />
              <IconButton
                size="sm"
                label={`Move block ${position + 1} down`}
                icon={<ArrowDown aria-hidden />}
                disabled={position === blocks.length - 1}
                onClick={() => set(moveItem(blocks, position, position + 1))}
              />
              <IconButton
                size="sm"
                label={`Delete block ${position + 1}`}
                icon={<Trash2 aria-hidden />}
                onClick={() => set(blocks.filter((_, index) => index !== position))}
              />
            </div>
            <BlockFields
              block={block}
              sources={content.sources}
              columns={columns}
              onChange={(next) => set(blocks.map((block, index) => (index === position ? next : block)))}
            />
          </li>
        ))}
      </ol>
      {blocks.length < MAX_SPARK_BLOCKS && (
        <Menu
          label="Kinds of blocks"
          groups={[
            (Object.keys(BLOCK_NAMES) as BlockKind[]).map((kind) => ({
              label: BLOCK_NAMES[kind],
              isDisabled: !first && kind !== 'heading' && kind !== 'text' && kind !== 'filters',
              onSelect: () => add(kind),
            })),
          ]}
          trigger={(props) => (
            <Button {...props} icon={<Plus aria-hidden />}>
              Add a block
            </Button>
          )}
        />
      )}
      {!first && <p className={styles.quiet}>Blocks with rows need a source first.</p>}
    </>
  )
}
