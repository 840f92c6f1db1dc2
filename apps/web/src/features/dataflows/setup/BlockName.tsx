import { useState } from 'react'
import { cacheBreadcrumbName } from '../../../app/shell/breadcrumb-names.ts'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { useDraft } from './draft/use-block-draft.ts'
import { useRenameBlock } from './setup.queries.ts'
import styles from './setup.module.css'

/** Enter or blur renames, Escape cancels. */
export function BlockName() {
  const { address } = useDataflowsScope()
  const { block, store, isDisabled } = useDraft()
  const rename = useRenameBlock()
  const [typed, setTyped] = useState<string | null>(null)
  const save = () => {
    const name = typed?.trim() ?? ''
    setTyped(null)
    if (typed === null || name === '' || name === block.name) return
    rename.mutate(
      { params: address, body: { task_block_trellis_code: block.task_block_trellis_code, name } },
      {
        onSuccess: () => {
          cacheBreadcrumbName(block.task_block_trellis_code, name)
          void store.refresh()
        },
      },
    )
  }
  if (isDisabled) return <h1 className={styles.title}>{block.name}</h1>
  return (
    <h1 className={styles.title}>
      <input
        className={styles.titleInput}
        aria-label="Name of the block"
        maxLength={100}
        size={Math.max(8, (typed ?? block.name).length)}
        value={typed ?? (rename.isPending ? (rename.variables.body.name ?? block.name) : block.name)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') setTyped(null)
        }}
      />
    </h1>
  )
}
