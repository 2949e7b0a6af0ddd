import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { type Action, defineResource, type Resource } from '../../../kernel/index.ts'
import { refuseAdminGroup, refuseBeyondPlaces, refuseEscalationByGroup, selectRolesAround } from '../role/escalation.ts'
import { externalUsergroupFields } from './fields.ts'
import { changeLink, createLink, deleteLink, refreshLink } from './membership.ts'

const KEYS = ['id', 'name', 'auth_source']
const attributes = z.object({
  name: z.string().optional().meta({ description: 'Name of the group in the source.' }),
  auth_source_id: z.int().optional().meta({ description: 'Id of the authentication source.' }),
  usergroup_id: z.int().optional().meta({ description: 'The user group here.' }),
})
const body = z.object({
  external_usergroup: attributes.meta({
    description: 'A group of an authentication source that stands for a user group.',
  }),
})

const create: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Link a group of a source to a user group',
  permissions: ['create_external_usergroups'],
  body,
  status: 201,
  handle: createLink,
}

const update: Action = {
  method: 'PUT',
  path: '/:id',
  name: 'update',
  summary: 'Change the group that is linked to a user group',
  body,
  record: { how: 'found' },
  handle: changeLink,
}

const remove: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Delete one external usergroup',
  permissions: ['destroy_external_usergroups'],
  output: z
    .object({
      id: z.int().meta({ description: 'Id of the link.' }),
      name: z.string().meta({ description: 'Name of the group in the source.' }),
      auth_source_id: z.int().meta({ description: 'Id of the authentication source.' }),
      usergroup_id: z.int().meta({ description: 'The user group here.' }),
    })
    .meta({ title: 'ExternalUsergroupDeleted', description: 'The deleted link.' }),
  handle: deleteLink,
}

const refresh: Action = {
  method: 'PUT',
  path: '/:id/refresh',
  name: 'refresh',
  summary: 'Read the members of the group from the directory now',
  record: { how: 'found', keys: ['id', 'auth_source_id', 'usergroup_id'] },
  handle: refreshLink,
}

/** Links from groups of a source to user groups: members there become members here (core-api §6.5, §6.6). */
export const externalUsergroups = defineResource({
  name: 'external_usergroup',
  routes: {
    notInBatch: true,
    invalidates: 'identities',
    parents: {
      usergroup: 'usergroup',
      auth_source_ldap: 'auth_source',
      auth_source_oidc: 'auth_source',
      auth_source_external: 'auth_source',
    },
    nestedOnly: true,
  },
  summary: 'A group of an authentication source that stands for a user group.',
  fields: externalUsergroupFields,
  operations: ['list', 'show'],
  words: {
    called: (stored) => stored.name,
  },
  views: { list: KEYS, show: KEYS, deleted: ['id', 'name', 'auth_source_id', 'usergroup_id'], order: 'id' },
  visibility: { seenWith: ['auth_source'] },
  audited: false,
  wrapWrite: {
    async create(ctx, draft, next, resource) {
      await refuseAsMemberOf(ctx, resource, draft.usergroup)
      return next(draft)
    },
    async update(ctx, stored, draft, next, resource) {
      await refuseAdminGroup(ctx, stored.usergroup_id)
      await refuseAsMemberOf(ctx, resource, draft.usergroup ?? stored.usergroup_id)
      await next(draft)
    },
    async delete(ctx, stored, next) {
      await refuseAdminGroup(ctx, stored.usergroup_id)
      await next()
    },
  },
  actions: [create, update, remove, refresh],
})

/**
 * Refuses to link a group unless the caller could add anybody to the user group, because the link does that. {@throws
 * Failure} invalid
 */
async function refuseAsMemberOf(ctx: Context, { registry }: Resource, usergroup: number): Promise<void> {
  await refuseAdminGroup(ctx, usergroup)
  await refuseEscalationByGroup(ctx, usergroup)
  await refuseBeyondPlaces(ctx, registry, { roles: selectRolesAround(usergroup), users: 'anybody' }, usergroup)
}
