import { NewSchemaName, NewTableName } from '@trellis/contract/explorer/names'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { ApiError, getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Form, FormActions, FormTextField, showServerError, SubmitButton } from '../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import type { SchemaAddress } from '../explorer-paths.ts'
import { schemaRef, tableRef, useRefreshNames, useRenameSchema, useRenameTable } from '../explorer.queries.ts'
import { useAddress, useExplorer } from '../use-explorer.ts'

const TableForm = z.object({ new_table_name: NewTableName })
const SchemaForm = z.object({ new_schema_name: NewSchemaName })

interface RenameProps {
  address: SchemaAddress & { table?: string }
  onClose: () => void
}

export default function RenameDialog({ address, onClose }: RenameProps) {
  return address.table === undefined ? (
    <RenameSchema address={address} onClose={onClose} />
  ) : (
    <RenameTable address={address} table={address.table} onClose={onClose} />
  )
}

function RenameTable({ address, table, onClose }: { address: SchemaAddress; table: string; onClose: () => void }) {
  const { params, paths } = useExplorer()
  const here = useAddress()
  const rename = useRenameTable()
  const { finish, problem, attempt } = useRename(onClose)
  const form = useSchemaForm(TableForm, { new_table_name: table })
  const submit = ({ new_table_name }: z.infer<typeof TableForm>) =>
    attempt(
      async () => {
        await rename.mutateAsync({ params, body: { ...tableRef({ ...address, table }), new_table_name } })
        const isHere = here.schema === address.schema && here.table === table
        await finish(isHere ? paths.table({ ...address, table: new_table_name }) : undefined)
      },
      (error) => showServerError(form, error),
    )
  return (
    <Dialog title={`Rename ${table}`} onClose={onClose} isLocked={rename.isPending}>
      <p>Views and keys follow the new name. Queries written elsewhere do not: they must be changed by hand.</p>
      <Form form={form} onSubmit={submit}>
        <FormTextField name="new_table_name" label="Table name" autoComplete="off" spellCheck={false} data-autofocus />
        <Ending problem={problem} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

function RenameSchema({ address, onClose }: { address: SchemaAddress; onClose: () => void }) {
  const { params, paths } = useExplorer()
  const here = useAddress()
  const rename = useRenameSchema()
  const { finish, problem, attempt } = useRename(onClose)
  const form = useSchemaForm(SchemaForm, { new_schema_name: address.schema })
  const submit = ({ new_schema_name }: z.infer<typeof SchemaForm>) =>
    attempt(
      async () => {
        await rename.mutateAsync({ params, body: { ...schemaRef(address), new_schema_name } })
        await finish(here.schema === address.schema ? paths.schema({ ...address, schema: new_schema_name }) : undefined)
      },
      (error) => showServerError(form, error),
    )
  return (
    <Dialog title={`Rename ${address.schema}`} onClose={onClose} isLocked={rename.isPending}>
      <p>Queries and outside tools that name this schema must be changed by hand.</p>
      <Form form={form} onSubmit={submit}>
        <FormTextField
          name="new_schema_name"
          label="Schema name"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Ending problem={problem} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

function Ending({ problem, onClose }: { problem: string | undefined; onClose: () => void }) {
  return (
    <>
      {problem && <Banner tone="danger">{problem}</Banner>}
      <FormActions>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton>Rename</SubmitButton>
      </FormActions>
    </>
  )
}

function useRename(onClose: () => void) {
  const navigate = useNavigate()
  const refresh = useRefreshNames()
  const [problem, setProblem] = useState<string>()
  const attempt = async (work: () => Promise<void>, isShown: (error: ApiError) => boolean) => {
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError && isShown(error))) setProblem(getErrorDetail(error))
    }
  }
  const finish = async (path: string | undefined) => {
    onClose()
    if (path !== undefined) await navigate(path, { replace: true })
    await refresh()
  }
  return { finish, problem, attempt }
}
