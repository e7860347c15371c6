"""What is set up, and the small files of the user's own that say so."""

from research.settings.files import LONGEST_NAME as LONGEST_NAME
from research.settings.files import Name as Name
from research.settings.files import UserFile as UserFile
from research.settings.files import clean_name as clean_name
from research.settings.files import disk_problem as disk_problem
from research.settings.files import write_whole as write_whole
from research.settings.settings import MODEL_VARIABLES as MODEL_VARIABLES
from research.settings.settings import AgreedTool as AgreedTool
from research.settings.settings import KeptService as KeptService
from research.settings.settings import KeptSettings as KeptSettings
from research.settings.settings import Settings as Settings
from research.settings.settings import WebSearch as WebSearch
from research.settings.settings import clean_address as clean_address
from research.settings.settings import clean_key as clean_key
from research.settings.settings import clean_model as clean_model
from research.settings.settings import home_of as home_of
from research.settings.settings import is_address as is_address
from research.settings.settings import is_unencrypted as is_unencrypted
from research.settings.settings import kept_settings as kept_settings
from research.settings.settings import shown_address as shown_address
from research.settings.settings import variables_set as variables_set
