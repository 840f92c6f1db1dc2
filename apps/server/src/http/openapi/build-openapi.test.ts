import { allEndpoints } from '@trellis/contract/all-endpoints'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { buildOpenapi } from './build-openapi.ts'
import { EXAMPLES } from './examples.ts'
import { TAGS } from './tags.ts'

const document = buildOpenapi(allEndpoints)

const listReferences = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)

test('every reference leads to a component, and every component is referred to', () => {
  const references = new Set(listReferences(document))
  const components = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, list]) => Object.keys(list).map((name) => `components/${kind}/${name}`))
  expect([...references].filter((path) => !components.includes(path))).toEqual([])
  expect(components.filter((path) => !references.has(path))).toEqual([])
})

test('a schema that two calls share is described once', () => {
  const { Workspace, ListWorkspacesResponse } = document.components.schemas as Record<string, object>
  expect(Workspace).toMatchObject({ type: 'object', properties: { name: { type: 'string' } } })
  expect(ListWorkspacesResponse).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Workspace' } })
})

test('answers may have fields that a client does not know', () => {
  expect(document.components.schemas).not.toHaveProperty('Workspace.additionalProperties')
})

test('what has defaults has one shape to send and another to receive', () => {
  const { ExecuteSqlInput } = document.components.schemas as Record<string, { required: string[] }>
  expect(ExecuteSqlInput?.required).not.toContain('ask_first')
})

test('addresses differ in more than the name of a parameter', () => {
  const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  expect(shapes.length - new Set(shapes).size).toBe(0)
  for (const [path, operations] of Object.entries(document.paths))
    for (const operation of Object.values(operations) as { parameters: { in: string; name: string }[] }[]) {
      const named = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect(named.toSorted()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted())
    }
})

test('every group of calls says what it is for', () => {
  expect(document.tags.filter(({ name }) => !TAGS[name])).toEqual([])
})

test.each(Object.entries(EXAMPLES))('the example of %s is valid', (id, { request, response }) => {
  const endpoint = allEndpoints.find((candidate) => candidate.id === id)
  if (request !== undefined) expect(z.safeParse(endpoint?.body as z.core.$ZodType, request).error).toBeUndefined()
  if (response !== undefined) expect(z.safeParse(endpoint?.response as z.core.$ZodType, response).error).toBeUndefined()
})
