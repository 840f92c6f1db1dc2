import { useEffect } from 'react'
import { FormTextField } from '../../../ui/forms/Form.tsx'
import type { SchemaForm } from '../../../ui/forms/schema-form.ts'
import { suggestedAddress } from './suggested-address.ts'

interface Values {
  name: string
  workspace_address: string
}

export function WorkspaceFields({
  form,
  accountCode,
  isDisabled = false,
}: {
  form: Pick<SchemaForm<Values>, 'values' | 'setValue' | 'isTyped'>
  accountCode: string
  isDisabled?: boolean
}) {
  const { setValue } = form
  const { name } = form.values
  const isOwn = form.isTyped('workspace_address')
  useEffect(() => {
    if (!isOwn) setValue('workspace_address', suggestedAddress(name))
  }, [name, isOwn, setValue])
  return (
    <>
      <FormTextField name="name" label="Workspace name" disabled={isDisabled} autoComplete="off" data-autofocus />
      <FormTextField
        name="workspace_address"
        label="Workspace URL"
        disabled={isDisabled}
        autoComplete="off"
        spellCheck={false}
        start={<span>{`${location.host}/${accountCode || '…'}/`}</span>}
        hint="Lower-case letters and numbers. It can not be changed later."
      />
    </>
  )
}
