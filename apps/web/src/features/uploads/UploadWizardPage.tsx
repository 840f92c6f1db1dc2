import type { UploadFile, UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Stepper } from '../../ui/feedback/Meters.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Page, PageHeader } from '../../ui/layout/Page.tsx'
import { JobProgress } from './JobProgress.tsx'
import { filesPath, successPath, useUploadPlace, type UploadScope } from './upload-scope.ts'
import { UploadGate } from './UploadGate.tsx'
import styles from './uploads.module.css'
import { useFile, useJob, useKeepFile, usePreProcess, useRefreshUploads } from './uploads.queries.ts'
import { getJobProblem, MODE_TITLES, getStepIndex, STEP_TITLES, getStep, type Step } from './wizard.ts'

const FileStep = lazy(async () => ({ default: (await import('./transfer/FileStep.tsx')).FileStep }))
const ModelStep = lazy(async () => ({ default: (await import('./model/ModelStep.tsx')).ModelStep }))
const ReadAgain = lazy(async () => ({ default: (await import('./model/ReadAgain.tsx')).ReadAgain }))
const ResultStep = lazy(async () => ({ default: (await import('./check/ResultStep.tsx')).ResultStep }))

/** The file's id is in the URL, so an upload resumes after a reload or days later. */
export function Component() {
  const scope = useUploadPlace()
  const title = MODE_TITLES[scope.mode]
  return (
    <UploadGate scope={scope}>
      <Page>
        <PageHeader
          title={title}
          subtitle={scope.table === null ? `Into the schema ${scope.schema}` : `${scope.schema}.${scope.table}`}
        />
        <Wizard scope={scope} />
      </Page>
    </UploadGate>
  )
}

function Wizard({ scope }: { scope: UploadScope }) {
  const [search, setSearch] = useSearchParams()
  const fileId = search.get('file')
  const file = useFile(scope, fileId)
  const job = useJob(scope, file.data?.latest_job_id ?? null)
  const refresh = useRefreshUploads()
  const goTo = useCallback<GoTo>((next) => setSearch(next, { replace: true, preventScrollReset: true }), [setSearch])
  const status = job.data?.status
  useEffect(() => {
    if (status !== undefined && status !== 'in_progress') void refresh()
  }, [status, job.data?.job_id, refresh])
  if (fileId === null) return <Steps scope={scope} savedFile={null} latest={null} goTo={goTo} />
  const failed = [file, job].find((query) => query.isError)
  if (failed) {
    return (
      <ErrorPanel
        title="The file could not be loaded"
        detail={failed.error?.message}
        reference={failed.error?.requestId}
        isRetrying={failed.isFetching}
        onRetry={() => void failed.refetch()}
      >
        <Button onClick={() => goTo({})}>Start with another file</Button>
      </ErrorPanel>
    )
  }
  if (!file.data || (file.data.latest_job_id !== null && !job.data)) return <StepSkeleton />
  return <Steps scope={scope} savedFile={file.data} latest={job.data ?? null} goTo={goTo} />
}

type GoTo = (search: Record<string, string>) => void

interface StepsProps {
  scope: UploadScope
  savedFile: UploadFile | null
  latest: UploadJob | null
  goTo: GoTo
}

function Steps({ scope, savedFile, latest, goTo }: StepsProps) {
  const [search] = useSearchParams()
  const keepFile = useKeepFile(scope)
  const step = getStep(savedFile, latest, search.get('step') === 'model')
  const started = (file: UploadFile) => {
    keepFile(file)
    goTo({ file: file.file_id })
  }
  const problem = step === 'reading' ? null : getJobProblem(latest)
  const containerRef = useFocusOnStep(step)
  return (
    <div ref={containerRef} tabIndex={-1} className={styles.wizard}>
      <Stepper steps={STEP_TITLES} current={getStepIndex(step)} />
      {problem && (
        <Banner tone="danger" title="That did not work">
          {problem} Nothing was changed.
        </Banner>
      )}
      <Suspense fallback={<StepSkeleton />}>
        {step === 'file' ? (
          <FileStep
            scope={scope}
            begun={savedFile}
            onStarted={started}
            onFinished={keepFile}
            onCancelled={() => goTo({})}
          />
        ) : (
          savedFile && <LaterStep scope={scope} step={step} file={savedFile} job={latest} goTo={goTo} />
        )}
      </Suspense>
    </div>
  )
}

/** The pressed button is unmounted with its step: keep keyboard focus in place. */
function useFocusOnStep(step: Step) {
  const containerRef = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (document.activeElement === document.body) containerRef.current?.focus({ preventScroll: true })
  }, [step])
  return containerRef
}

interface LaterProps {
  scope: UploadScope
  step: Step
  file: UploadFile
  job: UploadJob | null
  goTo: GoTo
}

const NOTES = {
  checking: 'Each value is read by its column’s type. You can leave: it goes on, and you find it under Files.',
  delivering: 'All rows or none. You can leave: it goes on, and you find it under Files.',
}

function LaterStep({ scope, step, file, job, goTo }: LaterProps) {
  const navigate = useNavigate()
  const { file_id, mode, table_name, validation } = file
  if (step === 'done') return <Navigate replace to={successPath(scope, { mode, table: table_name, fileId: file_id })} />
  if (step === 'reading') return <Reading scope={scope} file={file} job={job} onOther={() => goTo({})} />
  if (step === 'model') {
    return (
      <ModelStep
        scope={scope}
        file={file}
        onBack={() => void navigate(filesPath(scope))}
        onCheck={() => goTo({ file: file_id })}
      />
    )
  }
  if (step === 'result' && validation) {
    return (
      <ResultStep
        scope={scope}
        file={file}
        validation={validation}
        onBack={() => goTo({ file: file_id, step: 'model' })}
      />
    )
  }
  if ((step === 'checking' || step === 'delivering') && job) {
    return <JobProgress scope={scope} job={job} note={NOTES[step]} />
  }
  return <StepSkeleton />
}

interface ReadingProps {
  scope: UploadScope
  file: UploadFile
  job: UploadJob | null
  onOther: () => void
}

function Reading({ scope, file, job, onOther }: ReadingProps) {
  const { mutate, isIdle, error } = usePreProcess(scope)
  const hasEnded = job?.status === 'failed' || job?.status === 'cancelled'
  const { file_id } = file
  const { address } = scope
  const isWaiting = !job && isIdle
  useEffect(() => {
    if (isWaiting) mutate({ params: address, body: { file_id } })
  }, [isWaiting, mutate, address, file_id])
  if (error || hasEnded) {
    return (
      <>
        <ErrorPanel
          title={job?.status === 'cancelled' ? 'Reading was stopped' : `${file.original_filename} could not be read`}
          detail={error?.message ?? job?.error ?? 'Nothing was loaded.'}
          onRetry={() => mutate({ params: address, body: { file_id } })}
        >
          <Button onClick={onOther}>Choose another file</Button>
        </ErrorPanel>
        <ReadAgain scope={scope} file={file} />
      </>
    )
  }
  if (!job) return <StepSkeleton />
  return <JobProgress scope={scope} job={job} note="Finding out how it is written and what its columns hold." />
}

function StepSkeleton() {
  return (
    <Loading label="Loading the upload" className={styles.wizard}>
      <Skeleton width={420} height={20} />
      <Skeleton height={220} />
    </Loading>
  )
}
