import { NewSchemaName } from '@trellis/contract/explorer/names'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { ApiError, getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Form, FormActions, FormTextField, showServerError, SubmitButton } from '../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { databaseRef, useCreateSchema } from '../explorer.queries.ts'
import { useExplorer } from '../use-explorer.ts'

const SchemaForm = z.object({ schema_name: NewSchemaName })

export default function CreateSchemaDialog({ database, onClose }: { database: string; onClose: () => void }) {
  const { params, paths } = useExplorer()
  const create = useCreateSchema()
  const navigate = useNavigate()
  const form = useSchemaForm(SchemaForm, { schema_name: '' })
  const [problem, setProblem] = useState<string>()
  const submit = async ({ schema_name }: z.infer<typeof SchemaForm>) => {
    setProblem(undefined)
    try {
      await create.mutateAsync({ params, body: { ...databaseRef(database), schema_name } })
      onClose()
      await navigate(paths.schema({ database, schema: schema_name }))
    } catch (error) {
      if (!(error instanceof ApiError && showServerError(form, error))) setProblem(getErrorDetail(error))
    }
  }
  return (
    <Dialog title="New schema" onClose={onClose} isLocked={create.isPending}>
      <p>A schema is a folder for tables: rights are given by schema, and names need to differ only within one.</p>
      <Form form={form} onSubmit={submit}>
        <FormTextField name="schema_name" label="Schema name" autoComplete="off" spellCheck={false} data-autofocus />
        {problem && <Banner tone="danger">{problem}</Banner>}
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Create schema</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
