SELECT a	clubs

SELECT b	clubs
