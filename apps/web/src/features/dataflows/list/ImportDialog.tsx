import type { DataflowSummary, ImportOutcome } from '@trellis/contract/dataflows/dataflows.schemas'
import { useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type * as z from 'zod/mini'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { TextArea } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useDataflowsScope, useImportDataflow } from '../dataflows.queries.ts'
import styles from './list.module.css'

const MAX_BYTES = 2_000_000
type Outcome = z.infer<typeof ImportOutcome>

const TONES = { added: 'success', changed: 'info', moved: 'info', removed: 'danger' } as const

interface ImportProps {
  folder: string | null
  over?: DataflowSummary | undefined
  onClose: () => void
}

export default function ImportDialog({ folder, over, onClose }: ImportProps) {
  const { address, paths } = useDataflowsScope()
  const navigate = useNavigate()
  const send = useImportDataflow()
  const client = useQueryClient()
  const picker = useRef<HTMLInputElement>(null)
  const [yaml, setYaml] = useState('')
  const [canPrune, setCanPrune] = useState(false)
  const [trial, setTrial] = useState<{ yaml: string; canPrune: boolean; outcome: Outcome }>()
  const [problem, setProblem] = useState<string>()
  const outcome = trial?.yaml === yaml && trial.canPrune === canPrune ? trial.outcome : undefined
  const canImport = outcome !== undefined && outcome.problems.length === 0

  const attempt = async (isTrial: boolean) => {
    setProblem(undefined)
    try {
      const importResult = await send.mutateAsync({
        params: address,
        body: {
          yaml,
          is_trial: isTrial,
          can_prune: canPrune,
          ...(over ? { trellis_code: over.trellis_code } : { folder_trellis_code: folder }),
        },
      })
      if (importResult.trellis_code !== null && !isTrial) {
        onClose()
        // The canvas may be open behind the dialog.
        void client.invalidateQueries()
        await navigate(paths.editor(importResult.trellis_code))
      } else setTrial({ yaml, canPrune, outcome: importResult })
    } catch (error) {
      setProblem(getErrorDetail(error))
    }
  }
  const read = async (file: File | undefined) => {
    if (!file) return
    if (file.size > MAX_BYTES) setProblem('The file is larger than 2 MB.')
    else setYaml(await file.text())
  }
  return (
    <Dialog
      title={over ? `Update ${over.name} from YAML` : 'Import from YAML'}
      size="lg"
      isLocked={send.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={canImport ? 'secondary' : 'primary'}
            isBusy={send.isPending && !canImport}
            disabled={yaml.trim() === '' || canImport}
            onClick={() => void attempt(true)}
          >
            Check
          </Button>
          <Button
            variant={canImport ? 'primary' : 'secondary'}
            isBusy={send.isPending && canImport}
            disabled={!canImport}
            onClick={() => void attempt(false)}
          >
            {over ? 'Apply changes' : 'Import'}
          </Button>
        </>
      }
    >
      <p>Paste an exported dataflow, or choose its file. You see what would change before anything is saved.</p>
      <div className={styles.importForm}>
        <TextArea
          label="YAML"
          rows={12}
          value={yaml}
          spellCheck={false}
          data-autofocus
          onChange={(event) => setYaml(event.target.value)}
        />
        <div>
          <Button size="sm" icon={<FileUp aria-hidden />} onClick={() => picker.current?.click()}>
            Choose a file
          </Button>
          <input
            ref={picker}
            type="file"
            accept=".yaml,.yml,text/yaml"
            aria-label="File with a dataflow"
            hidden
            onChange={(event) => void read(event.target.files?.[0])}
          />
        </div>
        {over && (
          <Checkbox
            label="Delete what is not in the file"
            hint="Otherwise such blocks and groups stay as they are."
            checked={canPrune}
            onChange={(event) => setCanPrune(event.target.checked)}
          />
        )}
        {problem && <Banner tone="danger">{problem}</Banner>}
        {outcome && <Trial outcome={outcome} />}
      </div>
    </Dialog>
  )
}

function Trial({ outcome: { problems, changes, kept } }: { outcome: Outcome }) {
  if (problems.length > 0)
    return (
      <Banner
        tone="danger"
        title={problems.length === 1 ? '1 problem to fix first' : `${problems.length} problems to fix first`}
      >
        <ul className={styles.outcome}>
          {problems.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              {line !== null && <strong>Line {line}: </strong>}
              {message}
            </li>
          ))}
        </ul>
      </Banner>
    )
  return (
    <Banner tone="success" title={changes.length === 0 ? 'Nothing would change' : 'This would change'}>
      <ul className={styles.outcome}>
        {changes.map(({ kind, what }) => (
          <li key={`${kind} ${what}`}>
            <Badge tone={TONES[kind]}>{kind}</Badge> {what}
          </li>
        ))}
        {kept.map((what) => (
          <li key={what}>
            <Badge>not in the file</Badge> {what} stays
          </li>
        ))}
      </ul>
    </Banner>
  )
}
