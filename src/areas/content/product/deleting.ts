/** The kind of tasks that delete a product with everything in it. */
export const DELETING = 'product.delete'
